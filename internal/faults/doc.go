// Package faults breaks runs on purpose. Its tests kill the program at random moments in every stage, damage every kind of file, fill the disk,
// take the permission to write away, start a second writer and move the clock; after each they check that what was acknowledged is there,
// that what is damaged is named, that the run resumes, and that it ends as an unbroken one, bit for bit.
//
//	go test ./internal/faults                                     a minute or two
//	go test ./internal/faults -faults.kills=200 -timeout 60m      as much as wanted
//
// -faults.kills is the number of kills, -faults.seed chooses the moments and the damage, -faults.all fails every operation on the disk in turn and
// damages each file in every way, instead of a sample.
package faults
