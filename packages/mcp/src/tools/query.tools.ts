import { z } from 'zod'
import { QUERY_GUIDE } from '../query-guide.ts'
import { DateText, defineTool } from './tool.ts'

const PastUnit = z.enum(['minute', 'hour', 'day', 'week', 'month', 'year'])

const query = defineTool({
  name: 'query',
  title: 'Query',
  description: `Returns tables of a person's data: by day, week, weekday or source; with sums, means and conditions. Look up columns with list_query_tables.\n\n${QUERY_GUIDE}`,
  isAboutPerson: true,
  input: {
    last_day: DateText.describe('YYYY-MM-DD, the last day of the timeframe.'),
    past: z
      .strictObject({ value: z.int().min(1).default(1), unit: PastUnit })
      .describe('Length of the timeframe, which ends with the last day.'),
    queries: z
      .array(z.looseObject({ select: z.array(z.looseObject({})).min(1) }))
      .min(1)
      .max(5),
  },
  answer: async (call, { user_id, last_day, past, queries }) => {
    const timeframe = { type: 'relative', anchor: last_day, past }
    const path = `/aggregate/v1/user/${user_id}/query`
    const { results } = (await call({
      method: 'POST',
      path,
      body: { timeframe, queries },
    })) as { results: { table: unknown; source_rule: string }[] }
    return {
      tables: results.map(({ table }) => table),
      source_rules: results.map((result) => result.source_rule),
    }
  },
})

interface Tables {
  summaries: { name: string; [field: string]: unknown }[]
  series: { name: string; fields: unknown }[]
  merged: { name: string; fields: unknown }[]
  functions: unknown
  units: unknown
  date_parts: unknown
}

const listQueryTables = defineTool({
  name: 'list_query_tables',
  title: 'Tables of queries',
  description:
    'Lists what a query can select: names of tables and series, functions, units; for a named table or series also its columns.',
  isAboutPerson: false,
  input: {
    table: z
      .string()
      .max(100)
      .optional()
      .describe('Name of a table or series, such as sleep, activity or heartrate.'),
  },
  answer: async (call, { table }) => {
    const all = (await call({ method: 'GET', path: '/aggregate/v1/table' })) as Tables
    const { summaries, series, merged, functions, units, date_parts } = all
    const found = [...summaries, ...merged, ...series].find(({ name }) => name === table)
    if (found !== undefined) return found
    return {
      ...(table !== undefined && { problem: `There is no table or series ${table}.` }),
      tables: summaries.map(({ name }) => name),
      merged: merged.map(({ name }) => name),
      timeseries: series.map(({ name }) => name),
      functions,
      units,
      date_parts,
    }
  },
})

export const QUERY_TOOLS = [query, listQueryTables]
