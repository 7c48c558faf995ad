const COUNT = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const BYTE_UNITS = ['B', 'kB', 'MB', 'GB', 'TB']

/** 1234567 → 1,234,567 */
export function formatCount(count: number): string {
  return COUNT.format(count)
}

/** 1234567 → 1.2 MB; decimal units, as in file managers. */
export function formatBytes(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 999.5 && unit < BYTE_UNITS.length - 1) {
    value /= 1000
    unit++
  }
  const digits = unit === 0 || value >= 99.95 ? 0 : 1
  return `${value.toFixed(digits)} ${BYTE_UNITS[unit]}`
}

/** 12.3 MB and 201 MB → 12.3 of 201 MB; the unit of a part is shown only if it differs. */
export function formatByteShare(part: number, total: number): string {
  const [number, unit] = formatBytes(part).split(' ')
  const whole = formatBytes(total)
  return whole.endsWith(` ${unit}`) ? `${number} of ${whole}` : `${number} ${unit} of ${whole}`
}

/** 3725 → 1 h 02 min; 65 → 1 min 05 s; 0.4 → 0.4 s; 12.3 → 12 s. */
export function formatSeconds(seconds: number): string {
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole} s`
  const [large, small, units] =
    whole < 3600
      ? [Math.floor(whole / 60), whole % 60, ['min', 's']]
      : [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), ['h', 'min']]
  return `${large} ${units[0]} ${String(small).padStart(2, '0')} ${units[1]}`
}
