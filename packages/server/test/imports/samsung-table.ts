const FOLDER = 'samsunghealth_jane.doe_20250401120000'

/** A table as the app writes it: a mark, a line of metadata, a comma after each row. */
export function table(
  type: string,
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): Record<string, string> {
  const lines = [
    `com.samsung.${type},6322030,${rows.length}`,
    head.join(','),
    ...rows.map((row) => `${row.join(',')},`),
  ]
  return {
    [`${FOLDER}/com.samsung.${type}.20250401120000.csv`]: `\ufeff${lines.join('\r\n')}\r\n`,
  }
}

export const json = (type: string, name: string, content: unknown) => ({
  [`${FOLDER}/jsons/com.samsung.${type}/${name[0]}/${name}`]: JSON.stringify(content),
})
