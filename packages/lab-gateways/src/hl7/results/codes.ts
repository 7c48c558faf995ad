import { type Field, readCodes, type Segment, textOfCode } from '@salus/hl7v2'
import type { ResolvedConnection } from '../connection/resolved-connection.ts'

/** A test or a result by the laboratory's code, its name and its LOINC code. */
export interface NamedCode {
  name: string
  provider_id: string | null
  loinc: string | null
}

const LOINC = /^\d{1,7}-\d$/
const LOINC_SYSTEMS = ['LN', 'LOINC', '2.16.840.1.113883.6.1']

/**
 * Reads the codes of a coded element (OBR-4, OBX-3): the laboratory's own in either group, LOINC in
 * the other one or by the map of the connection.
 */
export function readNamedCode(field: Field, { codes: maps }: ResolvedConnection): NamedCode {
  const [first] = field.repetitions
  const codes = first === undefined ? [] : readCodes(first)
  return chooseCodes(codes, maps.to_loinc, first === undefined ? '' : textOfCode(first))
}

interface Triple {
  code: string
  name: string
  system: string
}

function chooseCodes(
  codes: readonly Triple[],
  toLoinc: Readonly<Record<string, string>>,
  text: string,
): NamedCode {
  const isLoinc = ({ code, system }: Triple) =>
    LOINC.test(code.trim()) &&
    (LOINC_SYSTEMS.includes(system.trim().toUpperCase()) || codes.length === 1)
  const standard = codes.find(isLoinc)
  const own = codes.find((each) => each !== standard && each.code.trim() !== '')
  const code = own?.code.trim() || null
  const mapped = code !== null && Object.hasOwn(toLoinc, code) ? toLoinc[code] : undefined
  const names = [own?.name, standard?.name, codes.find(({ name }) => name !== '')?.name, text]
  return {
    name: names.find((name) => name !== undefined && name.trim() !== '')?.trim() ?? code ?? '',
    provider_id: code,
    loinc: mapped ?? standard?.code.trim() ?? null,
  }
}

/**
 * Reads the code of OBR-26 or of another component whose parts are subcomponents: code, name,
 * system, and the same again.
 */
export function readParentCode(segment: Segment, maps: ResolvedConnection['codes']): NamedCode {
  const part = (at: number) => segment.text(26, 1, at)
  const codes = [1, 4]
    .map((at) => ({ code: part(at), name: part(at + 1), system: part(at + 2) }))
    .filter(({ code, name }) => code !== '' || name !== '')
  return chooseCodes(codes, maps.to_loinc, '')
}

/** A unit as printed, and in UCUM where the sender or the connection says so. */
export function readUnit(
  field: Field,
  maps: ResolvedConnection['codes'],
): { unit: string | null; ucum: string | null } {
  const text = (at: number) => field.component(at).trim()
  const unit = text(1) || text(2) || text(4) || text(5) || null
  const found = [1, 4].find((at) => text(at + 2).toUpperCase() === 'UCUM' && text(at) !== '')
  const mapped = unit !== null && Object.hasOwn(maps.units, unit) ? maps.units[unit] : undefined
  return { unit, ucum: mapped ?? (found === undefined ? null : text(found)) }
}

const NUMBER = String.raw`(-?(?:\d+(?:\.\d*)?|\.\d+))`
/** Forms of two bounds that results do not parse: `32 to 36`, `70_105`, `0-5 /HPF`. */
const BOUNDS = new RegExp(
  String.raw`^${NUMBER}\s*(?:to|_|-|\u2013)\s*${NUMBER}(?:\s+\D.{0,20})?$`,
  'i',
)

/** The bounds of a range as printed, where it has two. */
export function readBounds(range: string | null): { low: number | null; high: number | null } {
  const [, low, high] = BOUNDS.exec(range?.trim() ?? '') ?? []
  if (low === undefined || high === undefined || Number(low) > Number(high)) {
    return { low: null, high: null }
  }
  return { low: Number(low), high: Number(high) }
}
