import { kindOf } from '@salus/hl7v2'
import type { FoundDocument } from '../../hl7/results/documents.ts'
import { firstText, type Json, objectsOf, textOf } from '../json.ts'
import type { Resource, Resources } from './resources.ts'

/** Statuses of a report whose documents are not plainly final. */
const STATUSES = new Map([
  ['partial', 'preliminary'],
  ['preliminary', 'preliminary'],
  ['amended', 'corrected'],
  ['corrected', 'corrected'],
] as const)

/**
 * Reads the documents of a report: `presentedForm` with its data, or with an address whose Binary
 * is in the message. The count of those without readable bytes is returned too.
 */
export function readDocuments(
  report: Resource,
  resources: Resources,
  test: string,
): { documents: FoundDocument[]; unreadable: number } {
  const forms = objectsOf(report.json.presentedForm)
  const status = STATUSES.get(textOf(report.json.status) as 'partial')
  const standing = status === undefined ? {} : { status }
  const documents = forms.flatMap((form) => {
    const bytes = decode(dataOf(form, report, resources))
    if (bytes === undefined) return []
    const head = { name: firstText(form.title) ?? 'Report', test, ...standing }
    return [{ head, kind: kindOf(bytes), bytes }]
  })
  return { documents, unreadable: forms.length - documents.length }
}

function dataOf(form: Json, report: Resource, resources: Resources): string | null {
  const data = textOf(form.data)
  if (data !== null) return data
  const address = textOf(form.url)
  const binary = address === null ? undefined : resources.find({ reference: address }, report)
  return binary?.type === 'Binary' ? textOf(binary.json.data) : null
}

function decode(data: string | null): Buffer | undefined {
  const digits = data?.replace(/\s/g, '') ?? ''
  const end = digits.search(/[^A-Za-z0-9+/]/)
  const isBase64 = end < 0 || /^={1,2}$/.test(digits.slice(end, end + 3))
  return digits !== '' && isBase64 ? Buffer.from(digits, 'base64') : undefined
}
