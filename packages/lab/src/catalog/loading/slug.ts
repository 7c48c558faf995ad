/** "Hemoglobin A1c/Hemoglobin.total" → hemoglobin-a1c-hemoglobin-total */
export function toSlug(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
  return plain.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '')
}
