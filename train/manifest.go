package train

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"rampart/internal/durable"
)

// manifestEntry explains the files whose path in the folder, with slashes, matches the pattern (see [path.Match]).
type manifestEntry struct{ pattern, text string }

// manifest explains every file of a run folder.
var manifest = []manifestEntry{
	{"MANIFEST.txt", "this text"},
	{"run.toml", "every setting, with comments; edit it between two starts, or use --set"},
	{"run.toml.used", "the settings that the last start used, to see what was changed since"},
	{"champion.json", "how far the run has come, which model plays, how it won; with a checksum"},
	{"champion.previous.json", "the state before that; the run goes on from it if champion.json is damaged"},
	{"champion.onnx", "a copy of the model that plays, the one in models that champion.json names"},
	{"games/*.rgz", "one sealed shard of game records a generation (rampart data show, verify, stats, export)"},
	{"games/*.rgz.open", "the shard that is being written; \"rampart data recover\" reads it too"},
	{"models/*.onnx", "one network a generation, as ONNX; 00000000.onnx is the one that the run began with"},
	{"checkpoint/*.ckpt", "the whole state of the trainer after a generation; the last few are kept (trainer.checkpoints)"},
	{"matches.jsonl", "one JSON object a line for each pair of games of gates and yardsticks, with its moves"},
	{"metrics.jsonl", "one JSON object a line for each event worth plotting, warnings and stops with their reason"},
	{"stacks.txt", "what every goroutine was doing when a stage panicked or stalled"},
	{"lock", "held by the process that works in the folder"},
	{"*.damaged*", "what was found damaged and set aside, kept for you to look at"},
	{"*/*.damaged*", "likewise"},
	{".*[0-9]", "a file that was half-written when the process ended; removed at the next start"},
	{"*/.*[0-9]", "likewise"},
}

const maxManifest = 1 << 20 // bytes

func (f Folder) writeManifest() error {
	var text bytes.Buffer
	fmt.Fprint(&text, "This folder holds one run of rampart: games, networks, and all that is needed to go on with it. It is all there is to back up.\n\n"+
		"  rampart run --dir FOLDER          goes on where the run was\n"+
		"  rampart run --status FOLDER       tells how far it is\n"+
		"  rampart data verify FOLDER        checks every game\n"+
		"  rampart play --model FOLDER       plays against its champion\n\n"+
		"No file but run.toml is to be edited. Names have the generation as a number. Each file is written under a temporary\n"+
		"name, synced and renamed, or only ever grows; so a kill at any moment leaves every file whole but the last block or line of one that grows.\n\n")
	for _, e := range manifest {
		fmt.Fprintf(&text, "%-24s%s\n", e.pattern, strings.TrimSpace(e.text))
	}
	old, err := readFile(f.manifestPath(), maxManifest)
	if err == nil && bytes.Equal(old, text.Bytes()) {
		return nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, ErrDamaged) {
		return err
	}
	return durable.WriteFile(f.manifestPath(), text.Bytes())
}
