const NUMBER = new Intl.NumberFormat('en')
const UNITS = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'] as const

export const formatCount = (count: number): string => NUMBER.format(count)

/** `1.4 GB`, in steps of 1,000. */
export function formatBytes(bytes: number): string {
  const step = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  const value = bytes / 1_000 ** step
  return `${value.toFixed(step === 0 || value >= 100 ? 0 : 1)} ${UNITS[step]}`
}

/** How long ago or how long for, roughly: `12 s`, `4 min`, `3 h`, `5 d`. */
export function formatAge(since: string, now = Date.now()): string {
  const seconds = Math.max(0, Math.round((now - Date.parse(since)) / 1000))
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3_600) return `${Math.round(seconds / 60)} min`
  return seconds < 172_800
    ? `${Math.round(seconds / 3_600)} h`
    : `${Math.round(seconds / 86_400)} d`
}

export function formatMilliseconds(milliseconds: number | null): string {
  if (milliseconds === null) return '–'
  return milliseconds < 1_000
    ? `${Math.round(milliseconds)} ms`
    : formatAge(new Date(0).toISOString(), milliseconds)
}
