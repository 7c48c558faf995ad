/**
 * Builds a path of the API with encoded names, so that no name can change the endpoint.
 * @throws TypeError for an empty name: `/v2/user/` would be another endpoint.
 */
export function path(texts: TemplateStringsArray, ...names: (string | number)[]): string {
  return texts.reduce((start, text, index) => start + encodeName(names[index - 1]) + text)
}

function encodeName(name: string | number | undefined): string {
  const text = String(name ?? '')
  // Parsers of addresses remove parts that consist of dots.
  if (text === '' || text === '.' || text === '..') {
    throw new TypeError('An id for the path of a request is missing or empty.')
  }
  return encodeURIComponent(text)
}
