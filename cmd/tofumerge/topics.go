package main

// The texts of the topics of help, which are sections of the manual pages, too.

const addressesText = `An address names a block, or something in it, with dots between the parts:

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
  aws_instance.web.tags.Owner       a key of an object in braces

explain also takes a bare name, such as instance_type, for everything of that name, and
FILE:LINE, as messages print it, for the argument or block at that line.

In a pattern * and ? stand for text in one part, and ** for any number of parts:
'aws_instance.*', '**.tags', 'module.*.source'. A pattern that matches a block matches
what is in it. Quote patterns, or the shell expands them. A flag that takes patterns takes
several with commas between them; ? stands for a comma in a name.`

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
  9. the newest OpenTofu release that tofumerge knows

Files of 4 to 6 are looked for in the module's directory and above it. An engine is opentofu or
terraform, or a release such as opentofu@1.8 or terraform@1.9.5. A release that is newer
than all known ones is followed as the newest known one, with a note. -v prints the engine
and what chose it; tofumerge version --json lists the known releases.`

const exitStatusText = `  0  Done. Nothing was found.
  1  Not done: wrong usage, a file that can't be read, or a module that the
     engine refuses. Standard error says why, and standard output is empty,
     except that list prints what it can.
  2  Found: check has findings, mark --check has comments that are missing or
     wrong, or diff --detailed-exitcode has a difference.`

const environmentText = `  TOFUMERGE_ENGINE  the engine to follow, as --engine takes it
  NO_COLOR          if set, no colour, unless --color says always
  CLICOLOR_FORCE    if set and not 0, colour also where no terminal is
  COLUMNS           how many columns the terminal has
  TERM              dumb means no colour

No other variable is read: no TF_VAR_, TF_CLI_ARGS or TF_WORKSPACE.`

const configurationText = `A file .tofumerge.hcl, in the module's directory or above it in the repository, sets the
engine and what check looks for:

  engine       = "opentofu@1.12"
  enable       = ["unmarked-override"]
  disable      = ["equivalent-override"]
  deny         = ["aws_iam_*.**"]
  allow_files  = ["local_override.tf"]
  min_severity = "warning"

A nearer file adds to an outer one and to the command line, and takes nothing back, since
it may come with the change that is checked. check --config FILE reads one file instead.

A comment above an override block or argument switches rules off for it, and silences the
same warnings of the other commands. It hides no error:

  # tofumerge:ignore no-effect until the next release`

const flagsText = `All commands take these flags. --overlay and --exclude-override ask what if: an overlay is
merged behind all override files, whatever its name, and - is standard input.
--provider-schema takes what "tofu providers schema -json" prints; without it only the look
of a JSON value says whether a provider's name is an argument or a nested block.

Flags may come before or behind the arguments; what follows
-- is never a flag. As in tofu, -chdir=DIR, -help, -json, -no-color and -version work with
one dash.`

const filesText = `  .tofumerge.hcl       engine, rules and policy
  .opentofu-version    the OpenTofu release that runs the module
  .terraform-version   the Terraform release that runs the module
  mise.toml, .tool-versions
                       the tools of mise and asdf, one of which may be the engine
  .terraform.lock.hcl  the locked providers, which check reads, and their registry
  *.tf, *.tofu, *.tf.json, *.tofu.json
                       the configuration`
