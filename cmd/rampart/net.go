package main

import (
	"rampart/nn"
	"rampart/train"
)

// netUsage explains a flag that takes a network size.
const netUsage = "network size: channels x blocks, as in 32x4, or a name of \"rampart model sizes\", as in tiny"

// loadModel is [train.LoadModel]; its errors are bad input.
func loadModel(path string) (*nn.Model, error) {
	m, err := train.LoadModel(path)
	return m, badInput(err)
}
