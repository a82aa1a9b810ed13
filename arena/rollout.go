package arena

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"rampart/quoridor"
)

func init() {
	Register(Kind{
		Name:    "rollout",
		Usage:   "rollout[:n=1-10000000|:time=D]",
		Summary: "Monte Carlo tree search with rollouts along shortest paths, n per move (default 20000) or for a time per move",
		Parse: func(a *Args) (func(*quoridor.Board) (Player, error), error) {
			a.OneOf("n", "time")
			c := RolloutConfig{Rollouts: a.Int("n", 0, 1, maxRollouts), Time: a.Duration("time", 0)}
			return func(b *quoridor.Board) (Player, error) { return NewRollout(b, c) }, nil
		},
	})
}

// maxRollouts bounds the rollouts of a move, and with them the memory of the tree.
const maxRollouts = 10_000_000

// RolloutConfig limits a rollout player. At most one of the two is set; with neither it makes 20,000 rollouts a move.
type RolloutConfig struct {
	Rollouts int           // for each move, up to ten million
	Time     time.Duration // for each move; makes the player's moves depend on the machine
}

const defaultRollouts = 20_000

// NewRollout returns a player that searches by UCT (L. Kocsis and C. Szepesvari, Bandit based Monte-Carlo planning, 2006), grows
// its tree by probable moves only, and rates leaves by random games that mostly run along shortest paths (see [simulation]).
// These ideas make the strength of gorisanson's Quoridor bot (github.com/gorisanson/quoridor-ai), whose levels are 2,500,
// 7,500, 20,000 and 60,000 rollouts a move.
func NewRollout(b *quoridor.Board, c RolloutConfig) (Player, error) {
	if c.Rollouts < 0 || c.Rollouts > maxRollouts || c.Time < 0 || c.Rollouts > 0 && c.Time > 0 {
		return nil, fmt.Errorf("%w: rollout: %d rollouts, time %s: at most %d rollouts, and not given with a time", ErrPlayer, c.Rollouts, c.Time, maxRollouts)
	}
	if c.Time > 0 {
		c.Rollouts = maxRollouts
	} else if c.Rollouts == 0 {
		c.Rollouts = defaultRollouts
	}
	return &rolloutPlayer{config: c, board: b, sim: newSimulation(b), random: newRand(0)}, nil
}

type rolloutPlayer struct {
	config RolloutConfig
	board  *quoridor.Board
	sim    *simulation
	random *rand.Rand
	tree   []rolloutNode // the root is the first
	line   []int32       // nodes from the root to the current one
}

// rolloutNode is a position in the tree. Wins are those of the player who made the move to it.
type rolloutNode struct {
	position quoridor.Position
	wins     float64
	visits   int32
	first    int32 // of the children, which stand together; 0 before the node is expanded
	children uint8
	move     quoridor.Move
	winner   int8 // -1 while the game is not decided
}

// exploration is the constant under the root of UCT.
const exploration = 0.2

func (r *rolloutPlayer) NewGame(seed uint64) { r.random = newRand(seed) }

func (r *rolloutPlayer) Move(ctx context.Context, g *quoridor.Game) (quoridor.Move, error) {
	var deadline time.Time
	if r.config.Time > 0 {
		deadline = time.Now().Add(r.config.Time)
	}
	r.tree = append(r.tree[:0], rolloutNode{position: g.Position(), winner: -1})
	r.expand(0)
	if r.tree[0].children == 1 {
		return r.tree[1].move, nil
	}
	for i := range r.config.Rollouts {
		if i%checkRollouts == checkRollouts-1 {
			if err := ctx.Err(); err != nil {
				return quoridor.NoMove, err
			}
			if !deadline.IsZero() && time.Now().After(deadline) {
				break
			}
		}
		r.simulate()
	}
	return r.tree[r.mostVisited()].move, nil
}

// checkRollouts is the number of rollouts between two looks at clock and context.
const checkRollouts = 64

// simulate makes one pass: down the tree to a leaf, a rollout from there, and its result back up the line.
func (r *rolloutPlayer) simulate() {
	r.line = append(r.line[:0], 0)
	at := int32(0)
	for r.tree[at].children > 0 {
		at = r.selectChild(at)
		r.line = append(r.line, at)
	}
	if n := &r.tree[at]; n.winner < 0 && n.visits > 0 {
		r.expand(at)
		at = r.tree[at].first + int32(r.random.IntN(int(r.tree[at].children)))
		r.line = append(r.line, at)
	}
	leaf := &r.tree[at]
	winner := int(leaf.winner)
	if winner < 0 {
		winner = r.sim.run(leaf.position, r.random)
	}
	for _, i := range r.line {
		n := &r.tree[i]
		n.visits++
		if n.position.Side() != winner { // the player who moved there has won
			n.wins++
		}
	}
}

// selectChild returns the child with the highest upper confidence bound; children without visits come first, in random order.
func (r *rolloutPlayer) selectChild(at int32) int32 {
	parent := &r.tree[at]
	children := r.tree[parent.first : parent.first+int32(parent.children)]
	log := exploration * math.Log(float64(parent.visits))
	best, bestBound, fresh := 0, -1.0, 0
	for i := range children {
		c := &children[i]
		if c.visits == 0 {
			if fresh++; r.random.IntN(fresh) == 0 {
				best = i
			}
			continue
		}
		if fresh > 0 {
			continue
		}
		n := float64(c.visits)
		if bound := c.wins/n + math.Sqrt(log/n); bound > bestBound {
			best, bestBound = i, bound
		}
	}
	return parent.first + int32(best)
}

// expand adds the children of a node: a winning move alone if there is one, else the moves that are worth trying.
func (r *rolloutPlayer) expand(at int32) {
	p := r.tree[at].position
	var buffer [quoridor.MaxMoves]quoridor.Move
	first := len(r.tree)
	for _, m := range r.sim.candidates(buffer[:0], &p) {
		child := r.board.Play(p, m)
		n := rolloutNode{position: child, move: m, winner: int8(r.board.Winner(&child))}
		if n.winner >= 0 {
			r.tree = append(r.tree[:first], n)
			break
		}
		r.tree = append(r.tree, n)
	}
	r.tree[at].first, r.tree[at].children = int32(first), uint8(len(r.tree)-first)
}

// mostVisited returns the child of the root with the most visits.
func (r *rolloutPlayer) mostVisited() int32 {
	root := &r.tree[0]
	best := root.first
	for i := root.first; i < root.first+int32(root.children); i++ {
		if r.tree[i].visits > r.tree[best].visits {
			best = i
		}
	}
	return best
}
