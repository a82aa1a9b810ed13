//go:build !ort

package nn

// hasORT says whether the back end ort is there.
const hasORT = false

func newORT(*Model) (backend, error) { return nil, errWithoutORT }
