/** The addresses in CLICKHOUSE_URL; a comma within a password parts none. */
export function splitAddresses(text: string): string[] {
  return text.split(/\s*,\s*(?=https?:)/)
}
