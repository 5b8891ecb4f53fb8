package render

// A FileRecord is one name of the module directory.
type FileRecord struct {
	Filename string `json:"filename"`
}
