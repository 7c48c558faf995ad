/** How a person is called; undefined when no name is known. */
export function nameOf({
  first_name: first,
  last_name: last,
}: {
  first_name: string | null
  last_name: string | null
}): string | undefined {
  const name = [first, last].filter((part) => part !== null && part !== '').join(' ')
  return name === '' ? undefined : name
}
