package arena

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strings"

	"rampart/internal/lines"
	"rampart/quoridor"
)

// Opening is how both games of a pair begin: moves from a position, which must not end the game.
type Opening struct {
	Start quoridor.Position
	Moves []quoridor.Move
}

// openingTries is how many random openings are drawn for a pair before one that was used already is accepted.
const openingTries = 100

// randomOpenings returns n openings of the given number of random legal plies. Openings lead to different positions, mirror
// images counted as the same, as long as there are enough; opening i does not depend on n.
func randomOpenings(b *quoridor.Board, rules quoridor.Rules, n, plies int, seed uint64) ([]Opening, error) {
	seen := make(map[quoridor.Position]bool)
	list := make([]Opening, n)
	for i := range list {
		random := newRand(stream(seed, streamOpening, uint64(i)))
		for range openingTries {
			g := quoridor.NewGame(b, b.Start(), rules)
			if !playRandomly(g, plies, random) {
				continue
			}
			list[i] = Opening{Start: b.Start(), Moves: g.Moves()}
			if key := sameUnderMirror(b, g.Position()); !seen[key] {
				seen[key] = true
				break
			}
		}
		if len(list[i].Moves) != plies {
			return nil, fmt.Errorf("%w: no opening of %d random plies left the game undecided on %s", ErrConfig, plies, b)
		}
	}
	return list, nil
}

// playRandomly plays legal plies, each a pawn move or a wall with equal probability where both are possible, and tells whether
// the game is still undecided after them.
func playRandomly(g *quoridor.Game, plies int, random *rand.Rand) bool {
	for range plies {
		if g.Result() != quoridor.Undecided {
			return false
		}
		var buffer [quoridor.MaxMoves]quoridor.Move
		p := g.Position()
		legal := g.Board.Moves(buffer[:0], &p)
		pawn := 0
		for pawn < len(legal) && legal[pawn].IsPawn() {
			pawn++
		}
		if pawn < len(legal) && random.IntN(2) == 0 {
			legal = legal[pawn:]
		} else {
			legal = legal[:pawn]
		}
		if err := g.Play(pick(random, legal)); err != nil {
			panic(err) // a move from the list of legal moves
		}
	}
	return g.Result() == quoridor.Undecided
}

// sameUnderMirror returns the same position for a position and its mirror image.
func sameUnderMirror(b *quoridor.Board, p quoridor.Position) quoridor.Position {
	if mirrored := b.Mirror(p); mirrored.Compare(p) < 0 {
		return mirrored
	}
	return p
}

// checkOpenings verifies that each opening replays on the board and leaves the game undecided.
func checkOpenings(b *quoridor.Board, rules quoridor.Rules, openings []Opening) error {
	for i, o := range openings {
		g, err := quoridor.Replay(b, o.Start, rules, o.Moves)
		if err != nil {
			return fmt.Errorf("%w: opening %d: %w", ErrConfig, i+1, err)
		}
		if g.Result() != quoridor.Undecided {
			return fmt.Errorf("%w: opening %d ends the game (%s)", ErrConfig, i+1, g.Result())
		}
	}
	return nil
}

// ReadOpenings reads starting positions for the board, one a line in the text form of [quoridor.ParsePosition]; empty lines and
// lines that begin with # are skipped. Errors wrap [ErrConfig] and name the line.
func ReadOpenings(r io.Reader, b *quoridor.Board) ([]Opening, error) {
	var list []Opening
	in := lines.NewReader(r, maxLine)
	for number := 1; ; number++ {
		text, err := in.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%w: openings, line %d: %w", ErrConfig, number, err)
		}
		text = strings.TrimSpace(text)
		if text == "" || text[0] == '#' {
			continue
		}
		size, p, err := quoridor.ParsePosition(text)
		switch {
		case err != nil:
			return nil, fmt.Errorf("%w: openings, line %d: %w", ErrConfig, number, err)
		case size.W != b.W || size.H != b.H:
			return nil, fmt.Errorf("%w: openings, line %d: a position on %dx%d for a match on %dx%d", ErrConfig, number, size.W, size.H, b.W, b.H)
		case b.Winner(&p) >= 0:
			return nil, fmt.Errorf("%w: openings, line %d: the game is over in this position", ErrConfig, number)
		}
		list = append(list, Opening{Start: p})
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%w: openings: there is no position", ErrConfig)
	}
	return list, nil
}
