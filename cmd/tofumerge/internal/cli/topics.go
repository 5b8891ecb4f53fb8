package cli

// The texts of the topics of help, which are also sections of the manual pages.

const addressesText = `An address names a block or something in it. Dots separate its parts;
brackets hold indexes, and names that aren't identifiers:

  aws_instance.web                  a resource
  data.aws_ami.base                 a data source
  module.vpc.source                 an argument of a module call
  var.region, local.tags, output.id
  provider.aws, provider.aws.west   a provider configuration, with its alias
  terraform.backend
  terraform.required_providers.aws
  check.health
  aws_instance.web.lifecycle.ignore_changes
  aws_instance.web.provisioner[0]   the first of several nested blocks
  aws_instance.web.tags.Owner       a key of an object
  aws_instance.web.tags["app/name"]
  aws_instance.web.cidrs[1]         the second element of a list
  module.vpc.providers["aws.west"]
  module.vpc.aws_subnet.private     in explain: a resource of a called module

All commands print and accept addresses in this form. Quote brackets to keep the shell from
expanding them.

explain also accepts a bare name, such as instance_type or tags.Owner, for everything with
that name, and FILE:LINE for the argument or block at that line.

In a pattern, * and ? match text within one part, and ** any number of parts:
'aws_instance.*', '**.tags', 'module.*.source'. In quotes they are literal. A pattern may
leave out indexes. If it matches a block, it also matches the block's contents. Quote
patterns to keep the shell from expanding them. Flags for patterns accept several, separated
by commas; ? matches a comma in a name.`

const enginesText = `OpenTofu and Terraform merge override files differently, and so do their releases. The
first of these chooses the engine:

  1. --engine
  2. TOFUMERGE_ENGINE in the environment
  3. engine in the file of check --config
  4. the nearest .opentofu-version or .terraform-version
  5. the nearest mise.toml or .tool-versions that names one engine
  6. the nearest engine in a .tofumerge.hcl
  7. the registry that .terraform.lock.hcl names
  8. .tofu files, and required_version in them
  9. required_version in .tf files, if only Terraform meets its upper bound
 10. the newest OpenTofu release that tofumerge knows

The files of 4 to 6 are in the module's directory or above it. An engine is opentofu or
terraform, or a release such as opentofu@1.8 or terraform@1.9.5. For a release newer than
all known ones, tofumerge follows the newest known one and prints a note. An engine chosen
by 9 or 10 is assumed, and check prints a note. -v prints the engine and the reason;
tofumerge version --json lists the known releases.`

const exitStatusText = `  0  Success: nothing was found.
  1  Failure: wrong usage, an unreadable file, or a module that the engine
     refuses. The reason is on standard error. Standard output is empty, except
     that list prints what it can read, and report its page.
  2  Something was found: findings of check, also those that check --fix
     leaves, a difference of diff --detailed-exitcode, changes of changes
     --detailed-exitcode, or edits that extract can't express.`

const environmentText = `  TOFUMERGE_ENGINE  the engine to follow, like --engine
  NO_COLOR          if set, no colour, unless --color is always
  CLICOLOR_FORCE    if set and not 0, colour even without a terminal
  COLUMNS           the width of the terminal
  TERM              dumb means no colour
  TF_DATA_DIR       with --modules, the directory of init instead of .terraform
  GIT_INDEX_FILE    the index that --tracked reads; git sets it for hooks
  GIT_DIR           the repository of a revision, outside a working tree

Other variables of the engines, such as TF_CLI_ARGS or TF_WORKSPACE, are ignored. TF_VAR_*
are read by explain --env.`

const configurationText = `A file .tofumerge.hcl, in the module's directory or above it in the repository, sets the
engine and the rules of check:

  # The engine whose rules apply, for all commands.
  engine = "opentofu@1.12"

  # Rules to switch on and off; for their names: tofumerge check --list-rules
  enable  = ["unmarked-override"]
  disable = ["equivalent-override"]

  # Report what these engines read differently.
  against_engines = ["terraform@1.9"]

  # Report findings from this severity on: notice, warning or error.
  min_severity = "notice"

  # Exit with status 2 from this severity on. Only files read through --config
  # or --config-from may set never.
  fail_on = "warning"

  # Forbid overrides of addresses, or all override files, and allow some files.
  deny           = ["aws_iam_*.**"]
  deny_overrides = false
  allow_files    = ["local_override.tf"]

  # Comments that flatten and exec keep, besides those for known tools.
  tool_comments = ["my-linter:ignore"]

A nearer file adds to an outer one and to the command line but can't undo them, because it
may be part of the change under review. check --config FILE reads only that file, and
check --config-from REV reads every .tofumerge.hcl from a revision, such as main.
check --show-settings prints the settings in effect, with the file and line of each.

A comment above an override block or argument switches rules off for it, and silences the
same warnings in other commands. It never hides an error:

  # tofumerge:ignore no-effect until the next release

Outside all blocks, tofumerge:ignore-file covers the whole file.`

const flagsText = `check --since and report --since hide findings that the revision already has. REV:DIR names
another directory of the revision.

--overlay and --exclude-override answer what-if questions. An overlay is merged after all
override files, regardless of its name; - reads standard input.
--provider-schema takes the output of "tofu providers schema -json"; without it, tofumerge
infers from a JSON value whether a name is an argument or a nested block.

Flags may come before or after the arguments; everything after -- is an argument. As in
tofu, -chdir=DIR, -help, -json, -no-color and -version work with one dash.`

const filesText = `  .tofumerge.hcl       engine, rules and policy
  .opentofu-version    the OpenTofu release to follow
  .terraform-version   the Terraform release to follow
  mise.toml, .tool-versions
                       versions for mise and asdf, which may name the engine
  .terraform.lock.hcl  the locked providers and their registry
  .terraform/modules/modules.json
                       with --modules, the modules that init installed
  .gitignore           with -r, directories to skip
  *.tf, *.tofu, *.tf.json, *.tofu.json
                       the configuration`
