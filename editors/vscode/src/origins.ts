// The places that the marks in an effective configuration name.

/** A place that a line names: where its text is in the line, and the file and line that it leads to. */
export interface Origin {
  start: number;
  end: number;
  file: string;
  line: number;
}

/** Text such as `# override: `, which begins a mark, and `  #   `, which goes on with one. */
const mark = /#(?: (?:override|added|merged|replaced|removed|no effect):| {3})/;

const place = /(?<![\w./-])((?:[\w.-]+\/)*[\w.-]+\.(?:tf|tofu)(?:\.json)?):(\d+)/g;

/** The places in the mark on a line of an effective configuration; none if it has no mark. */
export function originsIn(line: string): Origin[] {
  const found = mark.exec(line);
  if (found === null) {
    return [];
  }
  const origins: Origin[] = [];
  for (const match of line.slice(found.index).matchAll(place)) {
    const [text, file, number] = match;
    if (file !== undefined && number !== undefined) {
      const start = found.index + match.index;
      origins.push({ start, end: start + text.length, file, line: Number(number) });
    }
  }
  return origins;
}
