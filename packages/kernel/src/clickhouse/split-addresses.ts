/** Splits CLICKHOUSE_URL into its addresses; a comma within a password does not separate any. */
export function splitAddresses(text: string): string[] {
  return text.split(/\s*,\s*(?=https?:)/)
}
