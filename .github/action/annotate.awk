# Orders the annotations of check, since GitHub shows only the first ten of each severity: first those in
# files that the change touches, which the first file lists, errors first. All of them go to the file
# summary, as one table of HTML, in which Markdown has no meaning.

function html(text) {
  gsub(/&/, "\\&amp;", text)
  gsub(/</, "\\&lt;", text)
  gsub(/>/, "\\&gt;", text)
  gsub(/"/, "\\&quot;", text)
  return text
}

# decoded is a value as it was before the runner's characters were replaced.
function decoded(text) {
  gsub(/%0A|%0D/, " ", text)
  gsub(/%2C/, ",", text)
  gsub(/%3A/, ":", text)
  gsub(/%25/, "%", text)
  return text
}

function property(name,   list, i) {
  for (i = split(substr(properties, length(level) + 2), list, ","); i > 0; i--) {
    if (index(list[i], name "=") == 1) return decoded(substr(list[i], length(name) + 2))
  }
  return ""
}

function count(n, noun) { return n " " noun (n == 1 ? "" : "s") }

FILENAME == ARGV[1] { touched[$0]; next }

!/^::(error|warning|notice) file=/ { # about the run, and first
  if (/^::notice/) ofLevel["notice"]++
  print
  next
}

{
  split(substr($0, 3), parts, "::")
  properties = parts[1]
  message = substr($0, length(properties) + 5)
  level = substr(properties, 1, index(properties, " ") - 1)
  file = property("file")
  rule = property("title")
  rank = (file in touched ? 0 : 3) + (level == "error" ? 0 : level == "warning" ? 1 : 2)
  lines[rank, size[rank]++] = $0
  if (++ofLevel[level] > 10) left++
  if (!ofRule[rule]++) rules[++nRules] = rule

  at = index(message, "%0A")
  page = at ? substr(message, at + 3) : ""
  row = "<td>" level "</td><td><a href=\"" html(page) "\">" html(rule) "</a></td><td>" html(decoded(at ? substr(message, 1, at - 1) : message)) "</td>"
  if (!times[row]++) rows[rank, nRows[rank]++] = row
  where[row] = where[row] "<br><code>" html(file) (property("line") ? ":" property("line") : "") "</code>"
  total++
}

END {
  for (rank = 0; rank < 6; rank++) for (i = 0; i < size[rank]; i++) print lines[rank, i]
  if (!total) exit
  print "### " count(total, "finding") > summary
  print "" > summary
  for (i = 1; i <= nRules; i++) printf "%s%d <code>%s</code>", (i > 1 ? ", " : ""), ofRule[rules[i]], html(rules[i]) > summary
  print "." (left ? " GitHub shows ten annotations of each severity, so " left (left == 1 ? " is" : " are") " only listed here." : "") "\n" > summary
  print "<table><tr><th>severity</th><th>rule</th><th>finding</th><th>where</th></tr>" > summary
  for (rank = 0; rank < 6; rank++) {
    for (i = 0; i < nRows[rank]; i++) {
      row = rows[rank, i]
      places = substr(where[row], 5)
      if (times[row] > 3) places = "<details><summary>" times[row] " locations</summary>" places "</details>"
      # GitHub takes no summary of more than 1 MiB.
      if ((bytes += length(row) + length(places)) < 900000) print "<tr>" row "<td>" places "</td></tr>" > summary
      else skipped++
    }
  }
  print "</table>" > summary
  if (skipped) print "\n" count(skipped, "more row") " didn't fit; the log has all findings." > summary
}
