// Package mcts searches a Quoridor position with a policy/value evaluator.
//
// # Two searches over one tree
//
// [Gumbel] mode is for self-play: at the root, sequential halving over a sampled set of actions; below it, the deterministic
// selection that follows the improved policy; as result, an improved policy that is a better training target than visit counts
// when simulations are few (Danihelka, Guez, Schrittwieser, Silver: Policy improvement by planning with Gumbel, ICLR 2022).
// [PUCT] mode is for play: the rule of AlphaZero (Silver et al., 2018) with an exploration factor that grows with the visits and
// first-play urgency by reduction.
//
// # Two halves
//
// A simulation is [Search.Select], which walks down to a leaf, and [Search.Expand], which takes the leaf's evaluation and backs
// it up. [Search.Run] joins them with an [Evaluator]; another driver can gather the leaves of many searches instead. There is no
// recursion, and a simulation adds at most one node, so depth and memory are bounded by the number of simulations; a setting bounds the
// memory too, and a search ends when its tree is full.
//
// # Threads
//
// With several evaluators, [Search.Run] uses a thread for each over one tree ([Search.Advance] says how). What it finds then depends on chance a
// little; with one thread it never does. Self-play has one thread for each search and many searches side by side.
//
// # Perspective
//
// Every value is a number in [-1, 1], win minus loss, a draw being 0. The value of a node is for the side to move there; the Q of
// an edge is for the side that plays it. Backing up flips the sign once for each ply.
//
// Finished games are exact: a win is 1 for the player who made it, a draw by ply cap 0. A position whose side to move can reach
// his goal row at once is a win without asking the evaluator, and a [Prober] can know more, such as package solver/race. What is known
// is carried up the tree ([Config].Prove): a position with a move that wins for sure is won, and the search ends when it knows the outcome of
// the root. The rule of repetition is not seen: the search looks at positions, not at how they came about.
//
// # Randomness
//
// Gumbel and Dirichlet noise are drawn once per search, at the root, from the generator given to [Search.Run]; with none the search
// is deterministic.
package mcts
