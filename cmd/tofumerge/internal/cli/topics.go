package cli

// The texts of the topics of help, which are also sections of the manual pages.

const addressesText = `An address names a block or something in it. Dots separate its parts;
brackets hold numbers, and names that are no identifiers:

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
  module.vpc.aws_subnet.private     what a called module has, in explain

Every command writes addresses so, and reads them where it takes one. Quote brackets to
keep the shell from changing them.

explain also takes a bare name, such as instance_type or tags.Owner, which means everything
of that name, and FILE:LINE, which means the argument or block at that line.

In a pattern * and ? match text within one part, and ** any number of parts:
'aws_instance.*', '**.tags', 'module.*.source'. In quotes they have no meaning. A pattern may
leave out numbers, and one that matches a block also matches everything in it. Quote patterns to keep the shell from expanding them. Flags that take
patterns take several, separated by commas; ? matches a comma in a name.`

const enginesText = `OpenTofu and Terraform differ in what override files do, and so do their releases. The
engine is chosen from, in order:

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

The files of 4 to 6 are found in the module's directory or above it. An engine is opentofu
or terraform, or a release such as opentofu@1.8 or terraform@1.9.5. For a release newer
than all known ones, tofumerge follows the newest known one and prints a note. An engine by 9 or
10 is assumed, and check says so. -v prints the engine and what chose it; tofumerge version --json lists the known releases.`

const exitStatusText = `  0  Success: nothing was found.
  1  Failure: wrong usage, an unreadable file, or a module that the engine
     refuses. Standard error says why. Standard output is empty, except that
     list prints what it can, and report its page.
  2  Something was found: findings of check, missing or stale comments of
     mark --check, a difference of diff --detailed-exitcode, or changes of
     changes --detailed-exitcode.`

const environmentText = `  TOFUMERGE_ENGINE  the engine to follow, as --engine takes it
  NO_COLOR          if set, no colour, unless --color is always
  CLICOLOR_FORCE    if set and not 0, colour even without a terminal
  COLUMNS           the width of the terminal
  TERM              dumb means no colour
  TF_DATA_DIR       with --modules, the directory of init instead of .terraform
  GIT_INDEX_FILE    the index that --tracked judges; git sets it for hooks
  GIT_DIR           the repository of a revision, outside a working tree

No other variables of the engines are read, such as TF_VAR_*, TF_CLI_ARGS or TF_WORKSPACE.`

const configurationText = `A file .tofumerge.hcl, in the module's directory or above it in the repository, sets the
engine and what check looks for:

  # The engine whose rules apply, for all commands.
  engine = "opentofu@1.12"

  # Rules to switch on and off; for their names: tofumerge check --list-rules
  enable  = ["unmarked-override"]
  disable = ["equivalent-override"]

  # Report what means something else to these engines, too.
  against_engines = ["terraform@1.9"]

  # Report findings from this severity on: notice, warning or error.
  min_severity = "notice"

  # Exit with status 2 from this severity on. Only the file of --config, and
  # those of --config-from, may set never.
  fail_on = "warning"

  # Forbid overrides of addresses, or all override files, and allow some files.
  deny           = ["aws_iam_*.**"]
  deny_overrides = false
  allow_files    = ["local_override.tf"]

A nearer file adds to an outer one and to the command line but can't undo them, because it
may be part of the change being checked. check --config FILE reads that file instead, and
check --config-from REV every .tofumerge.hcl as it is at a revision, such as main.
check --show-settings prints the settings in effect, with the file and line of each.

A comment above an override block or argument switches rules off there, and silences the
same warnings in other commands. It never hides an error:

  # tofumerge:ignore no-effect until the next release

Outside of all blocks, tofumerge:ignore-file does so for the whole file.`

const flagsText = `check --since reports only what the revision doesn't have, and so does report. With REV:DIR
the module was in another directory there.

--overlay and --exclude-override answer what-if questions:
an overlay is merged after all override files, whatever its name; - reads standard input.
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
