#!/usr/bin/env bash
# Compares Rampart's network arithmetic with ONNX Runtime (inference) and libtorch (training) in one run on one machine, and prints a table.
#
#   nn/kernel/bench/compare.sh              about 5 minutes, and the download of ONNX Runtime at the first time
#   ROUNDS=10 EACH=0.3 nn/kernel/bench/compare.sh
#
# The programs take turns, ROUNDS times, EACH seconds for a figure. The table has the best and the median rate of each by wall-clock time, and
# the median by processor time, which other programs on the machine disturb less. Of two threads only wall-clock time says anything.
#
# ONNX Runtime is measured twice: called from node, the runtime alone, and called by rampart's own back end.
#
# Needs go and node with npm; for training Debian's python3-torch (left out if it is not there), for AVX2 gcc and a processor that can fault on
# CPUID. Settings: NET, BOARD, WALLS, BATCHES, THREADS; ORT_VERSION; WORK, the folder for downloads and programs; SPIKE, the folder of the first
# proof, ../shared/spike/winograd, if the portable kernels are to be compared with its own.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)

SPIKE=${SPIKE:+$(cd "$SPIKE" && pwd)}
ROUNDS=${ROUNDS:-5} EACH=${EACH:-0.5}
NET=${NET:-64x6} BOARD=${BOARD:-9x9} WALLS=${WALLS:-10} BATCHES=${BATCHES:-"1 8 64"} THREADS=${THREADS:-"1 2"}
ORT_VERSION=${ORT_VERSION:-1.23.2}
WORK=${WORK:-${TMPDIR:-/tmp}/rampart-compare}
PYTHON=${PYTHON:-/usr/bin/python3} # Debian's own: python3-torch is installed for it

# Fair to libtorch: memory that it freed is not given back to the system after each step, and OpenBLAS knows its processor.
export MALLOC_TRIM_THRESHOLD_=$((1 << 30)) MALLOC_MMAP_THRESHOLD_=$((1 << 30))
unset OPENBLAS_CORETYPE OMP_NUM_THREADS

mkdir -p "$WORK"
results=$WORK/results.txt
: >"$results"
(cd "$root" && CGO_ENABLED=0 go build -tags ort -o "$WORK/rampart" ./cmd/rampart)
if [ ! -d "$WORK/node_modules/onnxruntime-node" ]; then
	(cd "$WORK" && npm install --silent --no-audit --no-fund --ignore-scripts "onnxruntime-node@$ORT_VERSION")
fi
arch=$(uname -m | sed 's/x86_64/x64/; s/aarch64/arm64/')
library=$(echo "$WORK"/node_modules/onnxruntime-node/bin/napi-v*/linux/"$arch"/libonnxruntime.so*)
cd "$WORK" # node finds onnxruntime-node here
./rampart model new net.onnx --force --board "$BOARD" --walls "$WALLS" --net "$NET"

have() { # have NAME COMMAND...: says what is left out if the command fails
	local name=$1
	shift
	"$@" >/dev/null 2>&1 || { echo "left out: $name" >&2 && return 1; }
}
torch=
if have "libtorch ($PYTHON has no torch; apt-get install python3-torch)" "$PYTHON" -c 'import torch'; then torch=yes; fi
avx2=
if gcc -O1 -shared -fPIC -o hide_avx512.so "$here/hide_avx512.c" -ldl 2>/dev/null &&
	have "AVX2 (the processor cannot fault on CPUID)" env LD_PRELOAD="$WORK/hide_avx512.so" node -e 0; then avx2=yes; fi

if [ -n "${SPIKE:-}" ]; then
	rm -rf "$WORK/spike"
	cp -r "$SPIKE" "$WORK/spike"
	chmod -R u+w "$WORK/spike"
	cp "$here/spike_test.go.txt" "$WORK/spike/portable_test.go"
	(cd "$WORK/spike" && go run ./gen -out k_amd64.s -stubs k_amd64.go -pkg gonn && go test -c -o ../spike.test .)
fi

# record CASE SIDE COMMAND...: adds a line "case|side|rate|rate by processor time" for the command's measurement
record() {
	local case=$1 side=$2
	shift 2
	"$@" | awk -v key="$case|$side" '/CPU second/ {
		for (i = 2; i <= NF; i++) { if ($i ~ /^(evaluations|samples)\/s$/) wall = $(i - 1); if ($i == "CPU") cpu = $(i - 2) }
		print key "|" wall "|" cpu
	}' >>"$results"
}
ours() { # ours KIND THREADS BATCH
	./rampart bench "$1" --board "$BOARD" --walls "$WALLS" --net "$NET" --time "${EACH}s" --threads "$2" --batch "$3"
}
from_go() { # from_go THREADS BATCH: ONNX Runtime called by rampart, planes and moves included, as ours
	RAMPART_ORT_THREADS=$1 ./rampart bench nn --backend ort --ort-library "$library" \
		--board "$BOARD" --walls "$WALLS" --net "$NET" --time "${EACH}s" --threads 1 --batch "$2"
}
from_node() { node "$here/onnxruntime.mjs" net.onnx "$EACH" "$1" "$2"; }
libtorch() { "$PYTHON" "$here/libtorch.py" train "$EACH" "$1" "$2" --board "$BOARD" --net "$NET"; }

echo "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1), $(nproc) processors, load $(cut -d' ' -f1-3 /proc/loadavg) at the start"
for ((round = 0; round < ROUNDS; round++)); do
	for threads in $THREADS; do
		for batch in $BATCHES; do
			for how in node go; do
				record "inference, threads $threads, batch $batch, theirs from $how" ours ours nn "$threads" "$batch"
				record "inference, threads $threads, batch $batch, theirs from $how" theirs "from_$how" "$threads" "$batch"
			done
		done
		if [ -n "$torch" ]; then
			record "training, threads $threads, batch 64" ours ours train "$threads" 64
			record "training, threads $threads, batch 64" theirs libtorch "$threads" 64
		fi
	done
	for batch in $BATCHES; do
		[ -n "$avx2" ] || continue
		RAMPART_KERNEL=avx2 record "inference held to AVX2, threads 1, batch $batch" ours ours nn 1 "$batch"
		LD_PRELOAD=$WORK/hide_avx512.so record "inference held to AVX2, threads 1, batch $batch" theirs from_node 1 "$batch"
	done
	if [ -n "${SPIKE:-}" ]; then
		RAMPART_KERNEL=portable record "inference in portable Go, threads 1, batch 1" ours ours nn 1 1
		record "inference in portable Go, threads 1, batch 1" theirs env EACH="$EACH" ./spike.test -test.run '^TestPortable$'
	fi
done
echo "load $(cut -d' ' -f1-3 /proc/loadavg) at the end; $ROUNDS rounds of $EACH s"
awk -F'|' -f "$here/table.awk" "$results"
