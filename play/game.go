package play

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"rampart/quoridor"
)

// Errors of a game.
var (
	// ErrGame is returned for settings that no game can have.
	ErrGame = errors.New("bad game")
	// ErrNode is returned for a node that the game does not have.
	ErrNode = errors.New("no such node")
	// ErrState is returned for what makes no sense as the game stands, such as undo at the start.
	ErrState = errors.New("not now")
	// ErrText is returned for text that is no saved game. It names the line, and the ply if a move is not legal.
	ErrText = errors.New("bad game text")
)

// MostNodes is the number of nodes at which a game is full.
const MostNodes = 5000

// NodeID names a node of a game. It stays the same as long as the node exists.
type NodeID int

// Root is the node of the starting position.
const Root NodeID = 0

// none is the parent of the root.
const none NodeID = -1

// Node is a position of a game and the move that led to it. Callers must not change it.
type Node struct {
	ID       NodeID
	Parent   NodeID   // -1 of the root
	Children []NodeID // the first is the main line
	Move     quoridor.Move
	Ply      int // moves from the start
	Position quoridor.Position
	Eval     *Eval            // what a search said of the position, or nil
	Record   *Record          // what the search said when a recorded game was played, or nil
	Ending   *Outcome         // how the game ended here by something else than the moves, or nil
	Left     [2]time.Duration // on the clocks

	next NodeID // child visited last, or none
}

// Eval is what a search said of a position.
type Eval struct {
	WinRate float64 // of player 0, from 0 to 1
	Visits  int
	Exact   bool // known for sure
}

// Record is what a recorded game tells of a position.
type Record struct {
	Value  float64 // for the side to move, from -1 to 1
	Visits int
	Policy []MoveShare // best first
	Fast   bool        // by a cheap search
}

// MoveShare is a move with its share of a policy.
type MoveShare struct {
	Move  quoridor.Move
	Share float64
}

// Game is a tree of moves under rules, with a cursor where somebody looks, a head where play stands, and clocks. All front ends play on it.
// It is not safe for concurrent use. Times are given to the methods, so that a game never looks at the clock by itself.
type Game struct {
	Title string // what a loaded game calls itself

	setup        Setup
	nodes        []*Node // by ID, nil for those deleted
	alive        int
	cursor, head NodeID
	left         [2]time.Duration // on the clocks when since was set
	since        time.Time        // when the clock of the side to move at the head began to run; zero if it stands
}

// New starts a game. The error wraps [ErrGame].
func New(s Setup) (*Game, error) {
	if err := s.validate(); err != nil {
		return nil, err
	}
	left := [2]time.Duration{s.Clock.Base, s.Clock.Base}
	root := &Node{Parent: none, Move: quoridor.NoMove, Position: s.Start, Left: left, next: none}
	return &Game{setup: s, nodes: []*Node{root}, alive: 1, left: left}, nil
}

// Setup returns what the game is played with.
func (g *Game) Setup() *Setup { return &g.setup }

// SetPlayers changes who plays.
func (g *Game) SetPlayers(players, names [2]string) error {
	s := g.setup
	s.Players, s.Names = players, names
	if err := s.validate(); err != nil {
		return err
	}
	g.setup = s
	return nil
}

// Node returns a node, or an error that wraps [ErrNode].
func (g *Game) Node(id NodeID) (*Node, error) {
	if id < 0 || int(id) >= len(g.nodes) || g.nodes[id] == nil {
		return nil, fmt.Errorf("%w: %d", ErrNode, id)
	}
	return g.nodes[id], nil
}

// node is Node for an id that is known to exist.
func (g *Game) node(id NodeID) *Node { return g.nodes[id] }

// Nodes returns all nodes, ascending by ID.
func (g *Game) Nodes() []*Node {
	list := make([]*Node, 0, g.alive)
	for _, n := range g.nodes {
		if n != nil {
			list = append(list, n)
		}
	}
	return list
}

// Cursor returns the node that is looked at.
func (g *Game) Cursor() NodeID { return g.cursor }

// Head returns the node where play stands.
func (g *Game) Head() NodeID { return g.head }

// Path returns the nodes from the root to the node, both included.
func (g *Game) Path(id NodeID) []NodeID {
	path := make([]NodeID, g.node(id).Ply+1)
	for i := len(path) - 1; i >= 0; i-- {
		path[i] = id
		id = g.node(id).Parent
	}
	return path
}

// Line returns the nodes from the root through the node to the end, by the children visited last, or the main line where none was.
func (g *Game) Line(through NodeID) []NodeID {
	line := g.Path(through)
	for id := g.forward(through); id != none; id = g.forward(id) {
		line = append(line, id)
	}
	return line
}

// MainLine returns the nodes from the root along the first children.
func (g *Game) MainLine() []NodeID {
	line := []NodeID{Root}
	for n := g.node(Root); len(n.Children) > 0; {
		n = g.node(n.Children[0])
		line = append(line, n.ID)
	}
	return line
}

// forward returns the child that was visited last, else the first, else none.
func (g *Game) forward(id NodeID) NodeID {
	n := g.node(id)
	switch {
	case n.next != none:
		return n.next
	case len(n.Children) > 0:
		return n.Children[0]
	}
	return none
}

// Moves returns the moves from the start to the node.
func (g *Game) Moves(id NodeID) []quoridor.Move {
	path := g.Path(id)
	moves := make([]quoridor.Move, len(path)-1)
	for i, at := range path[1:] {
		moves[i] = g.node(at).Move
	}
	return moves
}

// At returns the game up to the node as the rules see it: for an engine that wants the history.
func (g *Game) At(id NodeID) *quoridor.Game {
	replay, err := quoridor.Replay(g.setup.Board, g.setup.Start, g.setup.Rules, g.Moves(id))
	if err != nil {
		panic(fmt.Sprintf("play: the tree holds a move that is not legal: %v", err)) // Add lets none in
	}
	return replay
}

// Add adds a move to the node, or finds it there, and returns its node; nothing else changes. The error wraps [quoridor.ErrIllegalMove], also
// when the game has ended at the node, or [ErrState] if the game is full.
func (g *Game) Add(at NodeID, m quoridor.Move) (NodeID, error) {
	n, err := g.Node(at)
	if err != nil {
		return none, err
	}
	for _, id := range n.Children {
		if g.node(id).Move == m {
			return id, nil
		}
	}
	if o := g.Result(at); o.Over {
		return none, fmt.Errorf("%w: %s: the game is over (%s)", quoridor.ErrIllegalMove, m, o)
	}
	b := g.setup.Board
	if err := b.CheckLegal(&n.Position, m); err != nil {
		return none, err
	}
	if g.alive >= MostNodes {
		return none, fmt.Errorf("%w: the game is full with %d positions; delete a branch", ErrState, g.alive)
	}
	child := &Node{ID: NodeID(len(g.nodes)), Parent: at, Move: m, Ply: n.Ply + 1, Position: b.Play(n.Position, m), Left: n.Left, next: none}
	g.nodes = append(g.nodes, child)
	g.alive++
	n.Children = append(n.Children, child.ID)
	return child.ID, nil
}

// Play plays a move at the node and moves the head there; a cursor that was at the node goes along. With a clock, play goes on at the head
// only. Besides the errors of [Game.Add] there is one that wraps [ErrState] when the mover's time is up, which ends the game.
func (g *Game) Play(at NodeID, m quoridor.Move, now time.Time) (NodeID, error) {
	n, err := g.Node(at)
	if err != nil {
		return none, err
	}
	if g.setup.Clock.On() && at != g.head && !g.Result(g.head).Over {
		return none, fmt.Errorf("%w: the clock runs; play goes on at the last move (undo takes moves back)", ErrState)
	}
	if at == g.head && g.Flag(now) {
		return none, fmt.Errorf("%w: the time of player %d is up", ErrState, n.Position.Side())
	}
	if n.Ending != nil {
		return none, fmt.Errorf("%w: %s: the game is over (%s)", quoridor.ErrIllegalMove, m, n.Ending)
	}
	id, err := g.Add(at, m)
	if err != nil {
		return none, err
	}
	g.punch(at, id, now)
	g.head = id
	if g.cursor == at {
		g.cursor = id
	}
	g.visit(id)
	return id, nil
}

// visit makes every node of the path the one that forward goes to.
func (g *Game) visit(id NodeID) {
	for n := g.node(id); n.Parent != none; {
		parent := g.node(n.Parent)
		parent.next = n.ID
		n = parent
	}
}

// GoTo moves the cursor.
func (g *Game) GoTo(id NodeID) error {
	if _, err := g.Node(id); err != nil {
		return err
	}
	g.cursor = id
	g.visit(id)
	return nil
}

// Back, Forward, ToStart and ToEnd move the cursor along the current line, and stay at its ends.
func (g *Game) Back() {
	if p := g.node(g.cursor).Parent; p != none {
		g.cursor = p
	}
}

// Forward moves the cursor to the child visited last.
func (g *Game) Forward() {
	if next := g.forward(g.cursor); next != none {
		_ = g.GoTo(next)
	}
}

// ToStart moves the cursor to the root.
func (g *Game) ToStart() { g.cursor = Root }

// ToEnd moves the cursor to the end of the line.
func (g *Game) ToEnd() {
	line := g.Line(g.cursor)
	_ = g.GoTo(line[len(line)-1])
}

// SetHead moves play to the node, and the cursor with it. The clocks go back to what they showed there, and stand.
func (g *Game) SetHead(id NodeID) error {
	if err := g.GoTo(id); err != nil {
		return err
	}
	g.head = id
	g.left, g.since = g.node(id).Left, time.Time{}
	return nil
}

// Undo takes play back to the last position in which a person is to move, or by one move if no person plays. A game that ended by
// resignation or on time is reopened first. The error wraps [ErrState] if there is nothing to take back.
func (g *Game) Undo() error {
	n := g.node(g.head)
	reopened := n.Ending != nil
	if reopened && !g.setup.IsEngine(n.Position.Side()) {
		n.Ending = nil
		return g.SetHead(n.ID)
	}
	for n.Parent != none {
		n = g.node(n.Parent)
		if g.restsAt(n) {
			g.node(g.head).Ending = nil
			return g.SetHead(n.ID)
		}
	}
	return fmt.Errorf("%w: there is nothing to take back", ErrState)
}

// Redo goes forward again to the next position in which a person is to move, or to the end of the line.
func (g *Game) Redo() error {
	n := g.node(g.head)
	for next := g.forward(n.ID); next != none; next = g.forward(n.ID) {
		n = g.node(next)
		if g.restsAt(n) {
			break
		}
	}
	if n.ID == g.head {
		return fmt.Errorf("%w: there is nothing to play again", ErrState)
	}
	return g.SetHead(n.ID)
}

// restsAt tells whether undo and redo stop at the node.
func (g *Game) restsAt(n *Node) bool {
	return !g.setup.IsEngine(n.Position.Side()) || g.setup.IsEngine(0) && g.setup.IsEngine(1)
}

// Delete deletes the node, which must not be the root, and all below it. A head or cursor there moves to the parent.
func (g *Game) Delete(id NodeID) error {
	n, err := g.Node(id)
	if err != nil {
		return err
	}
	if id == Root {
		return fmt.Errorf("%w: the start cannot be deleted", ErrState)
	}
	parent := g.node(n.Parent)
	if slices.Contains(g.Path(g.head), id) {
		_ = g.SetHead(parent.ID)
	}
	if slices.Contains(g.Path(g.cursor), id) {
		_ = g.GoTo(parent.ID)
	}
	parent.Children = slices.DeleteFunc(parent.Children, func(c NodeID) bool { return c == id })
	if parent.next == id {
		parent.next = none
	}
	for below := []NodeID{id}; len(below) > 0; below = below[1:] {
		below = append(below, g.node(below[0]).Children...)
		g.nodes[below[0]] = nil
		g.alive--
	}
	return nil
}

// Promote makes the line through the node the main line.
func (g *Game) Promote(id NodeID) error {
	n, err := g.Node(id)
	if err != nil {
		return err
	}
	for ; n.Parent != none; n = g.node(n.Parent) {
		children := g.node(n.Parent).Children
		i := slices.Index(children, n.ID)
		copy(children[1:i+1], children[:i])
		children[0] = n.ID
	}
	return nil
}

// Repetition returns how often the node's position has been on the board on the way to it, itself included.
func (g *Game) Repetition(id NodeID) int {
	n := g.node(id)
	p, count := n.Position, 1
	for n.Parent != none {
		n = g.node(n.Parent)
		if n.Position.HWalls() != p.HWalls() || n.Position.VWalls() != p.VWalls() {
			break // a wall never leaves
		}
		if n.Position == p {
			count++
		}
	}
	return count
}
