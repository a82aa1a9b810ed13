package arena

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"rampart/quoridor"
)

// GameReader reads games that [Game.WriteTo] wrote, or that a person wrote in the same manner: comments in braces or after a
// semicolon are skipped, unknown tags too. Every game is replayed.
type GameReader struct {
	lines *bufio.Scanner
	line  int // number of the current line
	game  int // number of the current game
	held  *string
}

// maxLine bounds the length of a line in bytes.
const maxLine = 1 << 16

// NewGameReader returns a reader of saved games.
func NewGameReader(r io.Reader) *GameReader {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	return &GameReader{lines: lines}
}

// ReadGames reads all games. On an error it returns the games before it.
func ReadGames(r io.Reader) ([]*Game, error) {
	reader := NewGameReader(r)
	var games []*Game
	for {
		g, err := reader.Next()
		if errors.Is(err, io.EOF) {
			return games, nil
		}
		if err != nil {
			return games, err
		}
		games = append(games, g)
	}
}

// Next returns the next game, or [io.EOF] after the last. Errors that wrap [ErrGameText] name the line, the game and, if the
// moves do not replay, the first bad ply.
func (r *GameReader) Next() (*Game, error) {
	tags, err := r.readTags()
	if err != nil {
		return nil, err
	}
	r.game++
	g, err := tags.game()
	if err != nil {
		return nil, r.fail(err)
	}
	result, err := r.readMoves(g)
	if err != nil {
		return nil, err
	}
	if want := resultTexts[g.Result()]; result != want {
		return nil, r.fail(fmt.Errorf("the result is given as %s, but the moves end with %s (%s)", result, want, g.Result()))
	}
	if stated, given := tags["Result"]; given && stated != result {
		return nil, r.fail(fmt.Errorf("the tag Result says %s, the moves %s", clip(stated), result))
	}
	if g.OpeningPlies > g.Plies() {
		return nil, r.fail(fmt.Errorf("an opening of %d plies in a game of %d", g.OpeningPlies, g.Plies()))
	}
	return g, nil
}

// fail wraps an error with the place where it happened.
func (r *GameReader) fail(err error) error {
	return fmt.Errorf("%w: line %d, game %d: %w", ErrGameText, r.line, r.game, err)
}

// nextLine returns the next line without surrounding space, and false at the end.
func (r *GameReader) nextLine() (string, bool, error) {
	if r.held != nil {
		line := *r.held
		r.held = nil
		return line, true, nil
	}
	if !r.lines.Scan() {
		if err := r.lines.Err(); errors.Is(err, bufio.ErrTooLong) {
			return "", false, fmt.Errorf("%w: line %d is longer than %d bytes", ErrGameText, r.line+1, maxLine)
		} else if err != nil {
			return "", false, err
		}
		return "", false, nil
	}
	r.line++
	return strings.TrimSpace(r.lines.Text()), true, nil
}

// gameTags are the tags of a game by name.
type gameTags map[string]string

// readTags reads up to the first line of moves, which it holds back.
func (r *GameReader) readTags() (gameTags, error) {
	tags := make(gameTags)
	for {
		line, more, err := r.nextLine()
		switch {
		case err != nil:
			return nil, err
		case !more && len(tags) == 0:
			return nil, io.EOF
		case !more:
			r.game++
			return nil, r.fail(errors.New("the file ends before the moves"))
		case line == "" || line[0] == ';':
			continue
		case line[0] != '[':
			r.held = &line
			return tags, nil
		}
		name, value, ok := strings.Cut(strings.TrimPrefix(line, "["), " ")
		value, closed := strings.CutSuffix(strings.TrimSpace(value), `"]`)
		value, opened := strings.CutPrefix(value, `"`)
		if !ok || !closed || !opened {
			r.game++
			return nil, r.fail(fmt.Errorf("%q is not a tag as in [Board \"9x9\"]", clip(line)))
		}
		if _, repeated := tags[name]; repeated {
			r.game++
			return nil, r.fail(fmt.Errorf("the tag %s is given twice", clip(name)))
		}
		tags[name] = unescapeTag(value)
	}
}

// game starts the game that the tags describe.
func (t gameTags) game() (*Game, error) {
	w, h, err := quoridor.ParseSize(t["Board"])
	if err != nil {
		return nil, fmt.Errorf("tag Board: %w", err)
	}
	g := &Game{Players: [2]string{t["Player0"], t["Player1"]}}
	var numbers struct{ walls, pair, game, plyCap int }
	for _, n := range []struct {
		tag               string
		to                *int
		byDefault, lo, hi int
	}{
		{"Walls", &numbers.walls, -1, 0, 64},
		{"Pair", &numbers.pair, 1, 1, 1 << 31},
		{"Game", &numbers.game, 1, 1, 2},
		{"Opening", &g.OpeningPlies, 0, 0, 1 << 20},
		{"PlyCap", &numbers.plyCap, 0, 0, 1 << 20},
	} {
		if *n.to, err = t.number(n.tag, n.byDefault, n.lo, n.hi); err != nil {
			return nil, err
		}
	}
	if numbers.walls < 0 {
		return nil, errors.New("the tag Walls is missing")
	}
	board, err := quoridor.NewBoard(w, h, numbers.walls)
	if err != nil {
		return nil, fmt.Errorf("tags Board and Walls: %w", err)
	}
	g.Pair, g.Number = numbers.pair-1, numbers.game-1
	if seed, given := t["Seed"]; given {
		if g.Seed, err = strconv.ParseUint(seed, 10, 64); err != nil {
			return nil, fmt.Errorf("tag Seed: %q is not a whole number below 2^64", clip(seed))
		}
	}
	rules := quoridor.Rules{PlyCap: numbers.plyCap}
	switch repetition, given := t["Repetition"]; {
	case given && repetition == "yes":
		rules.Repetition = true
	case given && repetition != "no":
		return nil, fmt.Errorf("tag Repetition: %q is not yes or no", clip(repetition))
	}
	start := board.Start()
	if text, given := t["Start"]; given {
		b, p, err := quoridor.ParsePosition(text)
		if err != nil {
			return nil, fmt.Errorf("tag Start: %w", err)
		}
		if b.W != w || b.H != h {
			return nil, fmt.Errorf("tag Start: a position on %dx%d in a game on %dx%d", b.W, b.H, w, h)
		}
		start = p
	}
	g.Game = quoridor.NewGame(board, start, rules)
	return g, nil
}

func (t gameTags) number(tag string, byDefault, lo, hi int) (int, error) {
	text, given := t[tag]
	if !given {
		return byDefault, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < lo || n > hi {
		return 0, fmt.Errorf("tag %s: %q is not a number from %d to %d", tag, clip(text), lo, hi)
	}
	return n, nil
}

// readMoves plays the moves of the text and returns the result that stands after them.
func (r *GameReader) readMoves(g *Game) (string, error) {
	inComment := false
	for {
		line, more, err := r.nextLine()
		if err != nil {
			return "", err
		}
		if !more {
			return "", r.fail(errors.New("the file ends before the result (1-0, 0-1, 1/2-1/2 or *)"))
		}
		if line == "" {
			continue
		}
		line, inComment = stripComments(line, inComment)
		words := strings.Fields(line)
		for i, word := range words {
			switch word {
			case "1-0", "0-1", "1/2-1/2", "*":
				if i < len(words)-1 {
					return "", r.fail(fmt.Errorf("%q follows the result", clip(words[i+1])))
				}
				return word, nil
			}
			if isMoveNumber(word) {
				continue
			}
			if err := playText(g, word); err != nil {
				return "", r.fail(fmt.Errorf("ply %d: %w", g.Plies()+1, err))
			}
		}
	}
}

func playText(g *Game, word string) error {
	m, err := g.Board.ParseMove(word)
	if err != nil {
		return err
	}
	return g.Play(m)
}

// isMoveNumber recognises "12." and "12...".
func isMoveNumber(word string) bool {
	digits := strings.TrimRight(word, ".")
	if digits == "" || digits == word {
		return false
	}
	for _, r := range digits {
		if r < '0' || r > '9' {
			return false
		}
	}
	return true
}

// stripComments removes what stands in braces, which may span lines, or after a semicolon.
func stripComments(line string, inComment bool) (string, bool) {
	var s strings.Builder
	for _, r := range line {
		switch {
		case inComment:
			inComment = r != '}'
		case r == '{':
			inComment = true
			s.WriteByte(' ')
		case r == ';':
			return s.String(), false
		default:
			s.WriteRune(r)
		}
	}
	return s.String(), inComment
}
