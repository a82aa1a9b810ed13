# Prints a table of "case|side|rate|rate by processor time" lines: best and median rates of both sides, and their ratios.
{
	if (!($1 in seen)) { seen[$1] = 1; order[++cases] = $1 }
	n = ++count[$1, $2]
	wall[$1, $2, n] = $3
	cpu[$1, $2, n] = $4
}

# statistics sets best and median of the rates in a table for one side of a case
function statistics(rates, name, side,    n, i, j, t, v) {
	n = count[name, side]
	for (i = 1; i <= n; i++) v[i] = rates[name, side, i] + 0
	for (i = 2; i <= n; i++) for (j = i; j > 1 && v[j - 1] > v[j]; j--) { t = v[j]; v[j] = v[j - 1]; v[j - 1] = t }
	best = v[n]
	median = n % 2 ? v[(n + 1) / 2] : (v[n / 2] + v[n / 2 + 1]) / 2
}

function ratio(a, b) { return b > 0 ? sprintf("%.2f", a / b) : "-" }

END {
	print "| case | ours, best (median) /s | theirs, best (median) /s | ratio of the best | of the medians | by processor time |"
	print "|---|---|---|---|---|---|"
	for (k = 1; k <= cases; k++) {
		name = order[k]
		statistics(wall, name, "ours"); a = best; am = median
		statistics(wall, name, "theirs"); b = best; bm = median
		statistics(cpu, name, "ours"); ac = median
		statistics(cpu, name, "theirs"); bc = median
		printf "| %s | %.0f (%.0f) | %.0f (%.0f) | %s | %s | %s |\n", name, a, am, b, bm, ratio(a, b), ratio(am, bm), ratio(ac, bc)
	}
}
