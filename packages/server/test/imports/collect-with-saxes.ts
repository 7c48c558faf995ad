import { SaxesParser } from 'saxes'
import { NO_TEXT } from '../../../health/src/imports/formats/apple-health/health-data.ts'
import type { CollectedHealthData } from './collect-health-data.ts'

interface OpenElement {
  name: string
  attributes: Record<string, string>
  children: OpenElement[]
}

/** What the scanner should deliver, found by a general XML parser in the plainest way. */
export function collectWithSaxes(xml: string): Omit<CollectedHealthData, 'error'> {
  const root = parseTree(xml)
  const items = root.children
  const named = (name: string) => items.filter((item) => item.name === name)
  const own = new Set(['Record', 'Correlation', 'Workout'])
  return {
    records: named('Record').map((item) => toRecord(item, false)),
    correlations: named('Correlation').map((item) => {
      const { unit, value, insideCorrelation, ...rest } = toRecord(item, false)
      const records = item.children.filter((child) => child.name === 'Record')
      return { ...rest, records: records.map((record) => toRecord(record, true)) }
    }),
    workouts: named('Workout').map((item) => ({
      attributes: new Map(Object.entries(item.attributes)),
      metadata: toMetadata(item),
      statistics: item.children
        .filter((child) => child.name === 'WorkoutStatistics')
        .map((child) => new Map(Object.entries(child.attributes))),
      events: item.children
        .filter((child) => child.name === 'WorkoutEvent')
        .map((child) => new Map(Object.entries(child.attributes))),
      routes: item.children
        .filter((child) => child.name === 'WorkoutRoute')
        .flatMap((child) => child.children)
        .filter((child) => child.name === 'FileReference')
        .flatMap(({ attributes }) => attributes.path ?? []),
    })),
    others: items
      .filter((item) => !own.has(item.name))
      .map((item) => [item.name, new Map(Object.entries(item.attributes))]),
  }
}

function parseTree(xml: string): OpenElement {
  const document: OpenElement = { name: '', attributes: {}, children: [] }
  const open = [document]
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name, attributes }) => {
    const element = { name, attributes, children: [] }
    open.at(-1)?.children.push(element)
    open.push(element)
  })
  parser.on('closetag', () => open.pop())
  parser.write(xml).close()
  return document.children[0] as OpenElement
}

function toMetadata(element: OpenElement) {
  const entries = element.children.filter((child) => child.name === 'MetadataEntry')
  if (entries.length === 0) return NO_TEXT
  return new Map(entries.map(({ attributes }) => [attributes.key ?? '', attributes.value ?? '']))
}

function toRecord(element: OpenElement, insideCorrelation: boolean) {
  const { attributes } = element
  return {
    type: attributes.type ?? '',
    unit: attributes.unit,
    value: attributes.value,
    sourceName: attributes.sourceName ?? '',
    sourceVersion: attributes.sourceVersion,
    device: attributes.device,
    creationDate: attributes.creationDate,
    startDate: attributes.startDate ?? '',
    endDate: attributes.endDate ?? '',
    metadata: toMetadata(element),
    insideCorrelation,
  }
}
