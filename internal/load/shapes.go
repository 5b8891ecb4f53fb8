package load

// The language of OpenTofu 1.12: what each block may hold. Facts were observed
// with its loader; https://opentofu.org/docs/language describes most of them.

// Root is the shape of a configuration file.
var Root = &BodyShape{Blocks: map[string]BlockShape{
	"terraform": {Inside: true, Body: terraformShape},
	"language":  {Body: languageShape, Engines: Since("1.12")},
	"provider":  {Inside: true, Labels: []string{"name"}, Body: providerShape},
	"variable":  {Labels: []string{"name"}, Body: variableShape},
	"locals":    {Body: &BodyShape{Names: kind(Expression)}},
	"output":    {Labels: []string{"name"}, Body: outputShape},
	"module":    {Labels: []string{"name"}, Body: moduleShape},
	"resource":  {Labels: []string{"type", "name"}, Body: resourceShape},
	"data":      {Labels: []string{"type", "name"}, Body: dataShape},
	"ephemeral": {Labels: []string{"type", "name"}, Body: ephemeralShape, Engines: Since("1.11")},
	"moved":     {Body: movedShape},
	"import":    {Body: importShape},
	"removed":   {Body: removedShape, Engines: Since("1.7")},
	"check":     {Inside: true, Labels: []string{"name"}, Body: checkShape},
	"required_providers": {
		Refuse: "A required_providers block must stand inside a terraform block.",
	},
}}

func kind(k Kind) *Kind { return &k }

var open = &BodyShape{Open: true}

var escape = BlockShape{Once: true, Body: open}

var repetition = [][]string{{"count"}, {"for_each"}, {"lifecycle", "enabled"}}

var resourceShape = &BodyShape{
	Open: true,
	Args: map[string]ArgShape{
		"count":      {},
		"for_each":   {},
		"provider":   {Kind: ProviderRef},
		"depends_on": {Kind: References},
	},
	Blocks: map[string]BlockShape{
		EscapeBlock:   escape,
		"lifecycle":   {Once: true, Body: lifecycleShape},
		"connection":  {Once: true, Body: open},
		"provisioner": {Labels: []string{"type"}, Many: true, Body: provisionerShape},
		"locals":      {Reserve: true},
	},
	Exclusive: repetition,
	Check:     checkResource,
}

var lifecycleShape = &BodyShape{
	Args: map[string]ArgShape{
		"create_before_destroy": {Kind: Setting},
		"prevent_destroy":       {},
		"destroy":               {Engines: Since("1.12")},
		"enabled":               {Engines: Since("1.11")},
		"ignore_changes":        {Kind: IgnoreList},
		"replace_triggered_by":  {Kind: TriggerList},
	},
	Blocks: map[string]BlockShape{
		"precondition":  {Many: true, Body: conditionShape},
		"postcondition": {Many: true, Body: conditionShape},
	},
}

var conditionShape = &BodyShape{Args: map[string]ArgShape{
	"condition":     {Kind: Condition, Required: true},
	"error_message": {Required: true},
}}

var provisionerShape = &BodyShape{
	Open: true,
	Args: map[string]ArgShape{
		"when":       {Kind: When},
		"on_failure": {Kind: OnFailure},
	},
	Blocks: map[string]BlockShape{
		EscapeBlock:  escape,
		"connection": {Once: true, Body: open},
		"lifecycle":  {Reserve: true},
	},
	Check: checkProvisioner,
}

// unmanagedLifecycle is the lifecycle block of what no provider creates.
var unmanagedLifecycle = &BodyShape{
	Args:   map[string]ArgShape{"enabled": {Engines: Since("1.11")}},
	Blocks: lifecycleShape.Blocks,
}

var dataShape = &BodyShape{
	Open: true,
	Args: resourceShape.Args,
	Blocks: map[string]BlockShape{
		EscapeBlock: escape,
		"lifecycle": {Once: true, Body: unmanagedLifecycle},
		"locals":    {Reserve: true},
	},
	Exclusive: repetition,
	Check:     checkResource,
}

var ephemeralShape = &BodyShape{
	Open: true,
	Args: resourceShape.Args,
	Blocks: map[string]BlockShape{
		EscapeBlock:   escape,
		"lifecycle":   {Once: true, Body: unmanagedLifecycle},
		"connection":  {Refuse: "A connection block belongs to managed resources; ephemeral resources have none."},
		"provisioner": {Refuse: "A provisioner block belongs to managed resources; ephemeral resources have none."},
		"locals":      {Reserve: true},
	},
	Exclusive: repetition,
	Check:     checkResource,
}

var providerShape = &BodyShape{
	Open: true,
	Args: map[string]ArgShape{
		"alias":      {Kind: Word},
		"version":    {Kind: Constraint},
		"for_each":   {Engines: Since("1.9")},
		"count":      {Kind: Reserved},
		"depends_on": {Kind: Reserved},
		"source":     {Kind: Reserved},
	},
	Blocks: map[string]BlockShape{
		EscapeBlock: escape,
		"lifecycle": {Reserve: true},
		"locals":    {Reserve: true},
	},
	Check: checkProvider,
}

var variableShape = &BodyShape{
	Args: map[string]ArgShape{
		"description": {Kind: Text},
		"type":        {Kind: Type},
		"default":     {Kind: Default},
		"sensitive":   {Kind: Setting, Hides: "default"},
		"nullable":    {Kind: Setting},
		"ephemeral":   {Kind: Setting, Engines: Since("1.11")},
		"deprecated":  {Kind: Notice, Engines: Since("1.10")},
		"const":       {Kind: Setting, Engines: Since("1.12")},
	},
	Blocks: map[string]BlockShape{
		"validation": {Many: true, Body: conditionShape},
	},
	Check: checkVariable,
}

var outputShape = &BodyShape{
	Args: map[string]ArgShape{
		"description": {Kind: Text},
		"value":       {Required: true},
		"sensitive":   {Kind: Setting, Hides: "value"},
		"ephemeral":   {Kind: Setting, Engines: Since("1.11")},
		"deprecated":  {Kind: Notice, Engines: Since("1.10")},
		"depends_on":  {Kind: References},
	},
	Blocks: map[string]BlockShape{
		"precondition":  {Many: true, Body: conditionShape},
		"postcondition": {Refuse: "An output value can have preconditions, not postconditions."},
	},
	Check: checkLabels,
}

var moduleShape = &BodyShape{
	Open: true,
	Args: map[string]ArgShape{
		"source":     {Required: true},
		"version":    {},
		"count":      {},
		"for_each":   {},
		"providers":  {Kind: ProviderMap},
		"depends_on": {Kind: References},
	},
	Blocks: map[string]BlockShape{
		EscapeBlock: escape,
		"lifecycle": {Once: true, Body: &BodyShape{Args: unmanagedLifecycle.Args}, Engines: Since("1.11")},
		"locals":    {Reserve: true},
		"provider":  {Labels: []string{"type"}, Reserve: true},
	},
	Exclusive: repetition,
	Check:     checkLabels,
	Final:     checkModule,
}

var terraformShape = &BodyShape{
	Args: map[string]ArgShape{
		"required_version": {Kind: EngineConstraint},
		"experiments":      {Kind: Inert},
		"language":         {Kind: Inert},
	},
	Blocks: map[string]BlockShape{
		"backend":            {Labels: []string{"type"}, Body: open},
		"cloud":              {Body: open},
		"required_providers": {Body: &BodyShape{Names: kind(Requirement)}},
		"provider_meta":      {Labels: []string{"provider"}, Body: &BodyShape{Names: kind(Constant)}},
		"encryption":         {Body: encryptionShape, Engines: Since("1.7")},
	},
}

var encryptionShape = &BodyShape{
	Blocks: map[string]BlockShape{
		"key_provider": {Labels: []string{"type", "name"}, Body: &BodyShape{
			Open: true,
			Args: map[string]ArgShape{"encrypted_metadata_alias": {Kind: Text, Engines: Since("1.9")}},
		}},
		"method":                    {Labels: []string{"type", "name"}, Body: open},
		"state":                     {Once: true, Body: enforceableShape},
		"plan":                      {Once: true, Body: enforceableShape},
		"remote_state_data_sources": {Once: true, Body: remoteShape},
	},
	Check: checkEncryption,
}

var targetShape = func() *BodyShape {
	target := &BodyShape{Args: map[string]ArgShape{"method": {Kind: Method}}}
	target.Blocks = map[string]BlockShape{"fallback": {Once: true, Body: target}}
	return target
}()

var enforceableShape = &BodyShape{
	Args: map[string]ArgShape{
		"method":   {Kind: Method},
		"enforced": {Kind: Setting},
	},
	Blocks: targetShape.Blocks,
}

var remoteShape = &BodyShape{
	Blocks: map[string]BlockShape{
		"default":                  {Once: true, Body: targetShape},
		"remote_state_data_source": {Labels: []string{"name"}, Body: targetShape},
	},
	Check: checkEncryption,
}

var checkShape = &BodyShape{
	Blocks: map[string]BlockShape{
		"data":   {Labels: []string{"type", "name"}, Once: true, Like: "data", Body: nestedDataShape},
		"assert": {Many: true, Body: conditionShape},
	},
	Check: checkCheck,
}

// nestedDataShape is a data block inside a check: no repetition, no lifecycle.
var nestedDataShape = &BodyShape{
	Open: true,
	Args: map[string]ArgShape{
		"count":      {Kind: Reserved},
		"for_each":   {Kind: Reserved},
		"provider":   {Kind: ProviderRef},
		"depends_on": {Kind: References},
	},
	Blocks: map[string]BlockShape{
		EscapeBlock: escape,
		"lifecycle": {Refuse: "A data block inside a check block has no lifecycle block; the check manages it."},
		"locals":    {Reserve: true},
	},
	Check: checkResource,
}

var movedShape = &BodyShape{Args: map[string]ArgShape{
	"from": {Kind: Reference, Required: true},
	"to":   {Kind: Reference, Required: true},
}}

var importShape = &BodyShape{
	Args: map[string]ArgShape{
		"to":       {Kind: ImportAddress, Required: true},
		"id":       {},
		"identity": {Engines: Since("1.12")},
		"for_each": {},
		"provider": {Kind: ProviderRef},
	},
	Exclusive: [][]string{{"id"}, {"identity"}},
	Check:     checkImport,
}

var removedShape = &BodyShape{
	Args: map[string]ArgShape{"from": {Kind: Reference, Required: true}},
	Blocks: map[string]BlockShape{
		"lifecycle":   {Once: true, Body: &BodyShape{Args: map[string]ArgShape{"destroy": {Kind: Setting}}}, Engines: Since("1.10")},
		"provisioner": {Labels: []string{"type"}, Many: true, Body: provisionerShape, Engines: Since("1.10")},
	},
	Check: checkRemoved,
}

var languageShape = &BodyShape{
	Args: map[string]ArgShape{
		"edition":     {Kind: Edition},
		"experiments": {Kind: Experiments},
	},
	Blocks: map[string]BlockShape{
		"compatible_with": {Once: true, Body: &BodyShape{
			Open: true,
			Args: map[string]ArgShape{"opentofu": {Kind: EngineConstraint}},
		}},
	},
}

func (s BlockShape) known(e Engine) bool { return s.Engines.Has(e) }

func (s ArgShape) known(e Engine) bool { return s.Engines.Has(e) }
