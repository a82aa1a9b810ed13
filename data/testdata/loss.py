"""Prints two losses over the rows of an export (rampart data export --format npz), as an example of reading it:
the cross-entropy of the policy targets against the uniform policy over the legal moves, and the mean squared difference of
root value and result. Usage: loss.py ROWS.npz"""

import sys

import numpy as np

rows = np.load(sys.argv[1])
policy = rows["policyTargetsNCMove"][:, 0].astype(np.float64)
legal = rows["legalMovesNCMove"][:, 0].astype(bool)
targets = rows["globalTargetsNC"].astype(np.float64)

assert np.all(policy.sum(axis=1) == 65535), "policy targets must sum to 65535"
assert not np.any(policy[~legal]), "probability on an illegal move"
assert np.all(targets[:, 0:3].sum(axis=1) == 1)
assert np.all(rows["binaryInputNCHW"][:, 0:2].sum(axis=(2, 3)) == 1), "one pawn of each player"

uniform = np.where(legal, 1.0 / legal.sum(axis=1, keepdims=True), 1.0)
policy_loss = -(policy / 65535 * np.log(uniform)).sum(axis=1).mean()
value_loss = np.square(targets[:, 3] - (targets[:, 0] - targets[:, 2])).mean()
print(f"{policy_loss:.4f} {value_loss:.4f}")
