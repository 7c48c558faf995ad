import type { NamedResult } from '@salus/contracts/lab-gateway'
import { isSameResult, slugOf } from '../evaluation/expected-results.ts'
import type { StoredDocument } from '../results.tables.ts'
import { byOrder, type Dated } from './report-order.ts'
import type { TestKeys } from './test-keys.ts'

interface Entry {
  document: StoredDocument
  testKey: string
  report: Dated
}

/**
 * Returns the documents of reports that are shown, oldest first. Unlike values, documents of one
 * name stand beside each other, since a laboratory sends an addendum under the name of the report.
 * One is gone when the laboratory takes it back or corrects it, when it was preliminary or a whole
 * report has another one of its name, or when its report had a result of another person.
 */
export function mergeDocuments(reports: readonly Dated[], tests: TestKeys): StoredDocument[] {
  const oldestFirst = reports.toSorted((a, b) => byOrder(a.order, b.order))
  const entries = oldestFirst.flatMap((report) =>
    (report.message.documents ?? []).map((document): Entry => {
      const testKey = tests.keyIn(report, document.test)
      return { document, testKey, report }
    }),
  )
  const shown = entries.filter(
    (entry) =>
      !isWithdrawn(entry, reports, tests) &&
      !isReplaced(entry, entries) &&
      !hasOtherPerson(entry, reports),
  )
  const once = new Map<string, StoredDocument>()
  for (const { document, testKey } of shown) {
    const { test: _, ...rest } = document
    const known = once.get(document.id)
    if (known === undefined) {
      once.set(document.id, testKey === '' ? rest : { ...rest, test: testKey })
    }
  }
  return [...once.values()]
}

const isLater = (one: Dated, other: Dated): boolean => byOrder(one.order, other.order) > 0

function isWithdrawn(
  { document, testKey, report }: Entry,
  reports: readonly Dated[],
  tests: TestKeys,
) {
  return reports.some((other) => {
    if (other === report || !isLater(other, report)) return false
    return (other.message.withdrawn ?? []).some((named) => {
      const ofNamed = tests.keyIn(other, named.test)
      const isOfTest = ofNamed === '' || testKey === '' || ofNamed === testKey
      return isOfTest && isNamed(document, named)
    })
  })
}

const isNamed = (document: StoredDocument, named: NamedResult): boolean =>
  (document.sub_id ?? null) === (named.sub_id ?? null) && isSameResult(keyOf(document), named)

const keyOf = ({ name, provider_id: code = null, loinc = null }: StoredDocument) => ({
  name,
  provider_id: code,
  loinc,
})

function isReplaced({ document, testKey, report }: Entry, entries: readonly Entry[]): boolean {
  const name = nameOf(document)
  return entries.some(
    (other) =>
      other.document.id !== document.id &&
      other.testKey === testKey &&
      nameOf(other.document) === name &&
      isLater(other.report, report) &&
      (document.status === 'preliminary' ||
        other.document.status === 'corrected' ||
        other.report.message.scope !== 'part'),
  )
}

const nameOf = ({ name, provider_id: code, loinc, sub_id: subId }: StoredDocument): string =>
  JSON.stringify([code ?? loinc ?? slugOf(name), subId ?? null])

/** Whether a later report says that a result of the document's report is of another person. */
function hasOtherPerson({ report }: Entry, reports: readonly Dated[]): boolean {
  return reports.some(
    (other) =>
      isLater(other, report) &&
      (other.message.withdrawn ?? []).some(
        (named) =>
          named.reason === 'wrong_patient' &&
          report.message.results.some(
            (result) =>
              (result.sub_id ?? null) === (named.sub_id ?? null) && isSameResult(result, named),
          ),
      ),
  )
}
