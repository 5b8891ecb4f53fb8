// The program is served as a compressed file, since many hosts don't compress it. Some hosts
// announce the compression of such a file, and then the browser has undone it already.
export function inflated(bytes: ArrayBuffer): ReadableStream<Uint8Array> {
  const [first, second] = new Uint8Array(bytes, 0, Math.min(2, bytes.byteLength));
  const stream = new Blob([bytes]).stream();
  if (first !== 0x1f || second !== 0x8b) {
    return stream;
  }
  return stream.pipeThrough(new DecompressionStream("gzip"));
}
