"""Measures PyTorch on the network that Rampart trains: forward, backward and update, or forward alone.

    python3 libtorch.py train|infer SECONDS THREADS BATCHES [--board 9x9] [--net 64x6] [--hidden 64]

Prints one line for each number of threads and batch size, of the faster one of the two memory layouts: the rate by wall-clock time and by
processor time (all threads together). What is timed is the step alone, on tensors that are ready. Needs Debian's python3-torch.
"""

import argparse
import time

import torch
from torch import nn
from torch.nn import functional as F

PLANES, PAWN_ACTIONS, OUTCOMES = 16, 12, 3


class Norm(nn.Sequential):
    """3x3 convolution without bias, then batch norm."""

    def __init__(self, cin, cout):
        super().__init__(nn.Conv2d(cin, cout, 3, padding=1, bias=False), nn.BatchNorm2d(cout))


class Net(nn.Module):
    """The residual trunk and the heads of package nn/graph."""

    def __init__(self, channels, blocks, hidden):
        super().__init__()
        self.stem = Norm(PLANES, channels)
        self.blocks = nn.ModuleList(nn.ModuleList([Norm(channels, channels), Norm(channels, channels)]) for _ in range(blocks))
        self.walls = nn.Conv2d(channels, 2, 2)
        self.hidden = nn.Linear(3 * channels, hidden)
        self.pawn = nn.Linear(hidden, PAWN_ACTIONS)
        self.wdl = nn.Linear(hidden, OUTCOMES)

    def forward(self, planes):
        x = F.relu_(self.stem(planes))
        for one, two in self.blocks:
            x = F.relu_(two(F.relu_(one(x))) + x)
        summary = [x.mean((2, 3))] + [(x * planes[:, p : p + 1]).sum((2, 3)) for p in (0, 1)]
        h = F.relu_(self.hidden(torch.cat(summary, 1)))
        return torch.cat([self.pawn(h), self.walls(x).flatten(1)], 1), self.wdl(h)


class Examples:
    """Random rows: planes with one pawn each, a third of the actions illegal (-1), one move and one outcome as the target."""

    def __init__(self, batch, width, height):
        cells, actions = width * height, PAWN_ACTIONS + 2 * (width - 1) * (height - 1)
        self.planes = (torch.rand(batch, PLANES, cells) < 0.15).float()
        for p in (0, 1):
            self.planes[:, p] = F.one_hot(torch.randint(cells, (batch,)), cells).float()
        self.planes = self.planes.reshape(batch, PLANES, height, width)
        self.legal = torch.rand(batch, actions) < 0.67
        self.legal[:, 0] = True
        self.policy = torch.zeros(batch, actions)
        self.policy[:, 0] = 1
        self.wdl = F.one_hot(torch.randint(OUTCOMES, (batch,)), OUTCOMES).float()


def train_step(net, optimizer, rows):
    optimizer.zero_grad(set_to_none=True)
    policy, wdl = net(rows.planes)
    logits = F.log_softmax(policy.masked_fill(~rows.legal, -1e9), 1)
    loss = -(rows.policy * logits).sum(1).mean() - (rows.wdl * F.log_softmax(wdl, 1)).sum(1).mean()
    loss.backward()
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    optimizer.step()


def rate(call, seconds, batch):
    for _ in range(2):  # the first calls allocate
        call()
    cpu, began, n = time.process_time(), time.perf_counter(), 0
    while n == 0 or time.perf_counter() - began < seconds:
        call()
        n += 1
    return n * batch / (time.perf_counter() - began), n * batch / (time.process_time() - cpu)


def measure(args, batch, layout):
    width, height = map(int, args.board.split("x"))
    channels, blocks = map(int, args.net.split("x"))
    torch.manual_seed(1)
    net = Net(channels, blocks, args.hidden).to(memory_format=layout)
    rows = Examples(batch, width, height)
    rows.planes = rows.planes.contiguous(memory_format=layout)
    if args.mode == "infer":
        net.eval()
        with torch.no_grad():
            net = torch.jit.optimize_for_inference(torch.jit.trace(net, rows.planes))
            return rate(lambda: net(rows.planes), args.seconds / 2, batch)
    optimizer = torch.optim.AdamW(net.parameters(), lr=1e-4, weight_decay=1e-4, foreach=True)
    return rate(lambda: train_step(net, optimizer, rows), args.seconds / 2, batch)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("mode", choices=["train", "infer"])
    parser.add_argument("seconds", type=float)
    parser.add_argument("threads")
    parser.add_argument("batches")
    parser.add_argument("--board", default="9x9")
    parser.add_argument("--net", default="64x6")
    parser.add_argument("--hidden", type=int, default=64)
    args = parser.parse_args()
    torch.set_flush_denormal(True)
    unit = "samples" if args.mode == "train" else "evaluations"
    for threads in map(int, args.threads.split(",")):
        torch.set_num_threads(threads)
        for batch in map(int, args.batches.split(",")):
            both = [measure(args, batch, layout) for layout in (torch.contiguous_format, torch.channels_last)]
            wall, cpu = map(max, zip(*both))
            print(f"threads {threads}  batch {batch}  {wall:.0f} {unit}/s  {cpu:.0f} a CPU second", flush=True)


if __name__ == "__main__":
    main()
