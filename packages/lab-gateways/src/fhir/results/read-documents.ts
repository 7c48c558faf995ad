import type { ReportedDocument } from '@salus/contracts/lab-gateway'
import { type DocumentKind, kindOf } from '@salus/hl7v2'
import { toReported } from '../../hl7/results/documents.ts'
import { firstText, type Json, objectsOf, textOf } from '../json.ts'
import type { Resource, Resources } from './resources.ts'

interface Found {
  name: string
  kind: DocumentKind
  bytes: Buffer
}

/**
 * Reads the documents of a report: `presentedForm` with its data, or with an address whose Binary
 * is in the message. The count of those without readable bytes is returned too.
 */
export function readDocuments(
  report: Resource,
  resources: Resources,
): { documents: Found[]; unreadable: number } {
  const forms = objectsOf(report.json.presentedForm)
  const documents = forms.flatMap((form) => {
    const bytes = decode(dataOf(form, report, resources))
    if (bytes === undefined) return []
    return [{ name: firstText(form.title) ?? 'Report', kind: kindOf(bytes), bytes }]
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

/** The first PDF is the laboratory's report; everything else stays beside it. */
export function chooseDocuments(found: readonly { document: Found; test: string }[]): {
  pdf: string | null
  documents: ReportedDocument[]
} {
  const report = found.find(({ document }) => document.kind === 'pdf')
  return {
    pdf: report?.document.bytes.toString('base64') ?? null,
    documents: found
      .filter((each) => each !== report)
      .map(({ document, test }) => toReported(document, test)),
  }
}
