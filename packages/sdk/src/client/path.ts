/**
 * A path of the API with its names encoded, so that none can lead elsewhere.
 * @throws TypeError for a name that is empty: `/v2/user/` would be another endpoint.
 */
export function path(texts: TemplateStringsArray, ...names: (string | number)[]): string {
  return texts.reduce((start, text, index) => start + encodeName(names[index - 1]) + text)
}

function encodeName(name: string | number | undefined): string {
  const text = String(name ?? '')
  // As parts of a path, dots would be taken away by whoever parses the address.
  if (text === '' || text === '.' || text === '..') {
    throw new TypeError('An id for the path of a request is missing or empty.')
  }
  return encodeURIComponent(text)
}
