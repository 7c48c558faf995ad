const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹'

const raise = (digits: string): string =>
  [...digits].map((digit) => SUPERSCRIPTS[Number(digit)] ?? digit).join('')

/**
 * Returns a UCUM unit as people write it: `10*3/uL` becomes 10³/µL, and `mL/min/{1.73_m2}`
 * mL/min/1.73 m². An annotation without a unit, such as `{ratio}`, is removed. Other units stay
 * unchanged.
 */
export function toPrintedUnit(unit: string | null): string {
  return (unit ?? '')
    .replace('{1.73_m2}', '1.73 m²')
    .replace(/10[*^](\d+)/g, (_, digits: string) => `10${raise(digits)}`)
    .replace(/\[(IU|GPL'U|MPL'U|APL'U)\]/g, (_, name: string) => name.replace("'U", '-U'))
    .replace(/\{[^}]*\}/g, '')
    .replace(/\bu(?=[LgmM]|mol|[UI])/g, 'µ')
    .replace(/\/$|^1$/g, '')
}
