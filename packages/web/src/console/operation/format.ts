const NUMBER = new Intl.NumberFormat('en')
const UNITS = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'] as const

export const formatCount = (count: number): string => NUMBER.format(count)

/** `1.4 GB`, in steps of 1,000. */
export function formatBytes(bytes: number): string {
  const step = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  const value = bytes / 1_000 ** step
  return `${value.toFixed(step === 0 || value >= 100 ? 0 : 1)} ${UNITS[step]}`
}
