/** Returns the name of a person; undefined when none is known. */
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
