import { Button, SegmentedControl } from '@mantine/core'
import { type ReactNode, useMemo, useState } from 'react'
import { baseUrl } from '../api/client.ts'
import { Failure } from '../components/failure.tsx'
import { Section } from '../components/page.tsx'
import { saveFile } from '../components/save-file.ts'
import { describeResult, findBucket } from './builder/builder-columns.ts'
import { CodeBlock } from './code-block.tsx'
import { type TableColumns, toCsv, toCurl, toSdkCode } from './query-code.ts'
import { joinTables, ResultTable } from './result-table.tsx'
import { type QueryRun, useParquetExport, useQueryTables } from './use-query-run.ts'

interface ExportProps {
  run: QueryRun
  /** Position of the query. */
  number: number
}

/** Buttons that save a result; tables of several people have their ids, and no names. */
function ExportButtons({ run, number }: ExportProps): ReactNode {
  const parquet = useParquetExport()
  const name = `query-${number + 1}`
  const table = (): TableColumns =>
    joinTables(
      run.people.map(({ userId }, person) => ({
        name: userId,
        table: run.tables[number]?.[person] ?? {},
      })),
      'user_id',
    )
  const saveParquet = async (): Promise<void> => {
    for (const { userId } of run.people) {
      const blob = await parquet.mutateAsync({ userId, request: run.request })
      saveFile(blob, run.people.length === 1 ? 'query.tar.gz' : `query-${userId}.tar.gz`)
    }
  }
  return (
    <>
      <Button
        variant="subtle"
        size="compact-sm"
        onClick={() => saveFile(new Blob([toCsv(table())], { type: 'text/csv' }), `${name}.csv`)}
      >
        CSV
      </Button>
      <Button
        variant="subtle"
        size="compact-sm"
        onClick={() => {
          const text = JSON.stringify(table())
          saveFile(new Blob([text], { type: 'application/json' }), `${name}.json`)
        }}
      >
        JSON
      </Button>
      <Button
        variant="subtle"
        size="compact-sm"
        loading={parquet.isPending}
        // The failure is shown below.
        onClick={() => saveParquet().catch(() => undefined)}
      >
        Parquet
      </Button>
      {parquet.error !== null && <Failure error={parquet.error} />}
    </>
  )
}

const RULES: Record<QueryRun['sourceRules'][number], string> = {
  merged: 'Sources are merged: each instant counts once.',
  one_source: 'One source counts for each group.',
  all_sources: 'All sources count, even where several measured the same.',
}

const FORMS = [
  { value: 'curl', label: 'curl' },
  { value: 'sdk', label: 'SDK' },
] as const

/** Shows the same request as a curl command and as code. */
function SameAsCode({ run }: { run: QueryRun }): ReactNode {
  const [form, setForm] = useState<string>('curl')
  const sdk = toSdkCode(run.request)
  return (
    <Section
      title="Code of this query"
      actions={
        <SegmentedControl
          size="xs"
          aria-label="Language"
          data={[...FORMS]}
          value={form}
          onChange={setForm}
        />
      }
    >
      {form === 'sdk' && sdk === undefined ? (
        <p className="quiet">The builder of the SDK does not support this query. Send its JSON.</p>
      ) : (
        <CodeBlock text={form === 'curl' ? toCurl(baseUrl, run.request) : (sdk ?? '')} />
      )}
    </Section>
  )
}

/** Describes how sources were counted in a table. */
const ruleOf = ({ sourceRules }: QueryRun, index: number): string =>
  RULES[sourceRules[index] ?? 'all_sources']

/** Shows the results of a query. */
export function QueryResult({ run }: { run: QueryRun }): ReactNode {
  return (
    <>
      {run.tables.map((_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: only the order of tables identifies them
        <OneResult key={index} run={run} number={index} />
      ))}
      <SameAsCode run={run} />
    </>
  )
}

function OneResult({ run, number }: ExportProps): ReactNode {
  const tables = useQueryTables()
  const query = run.request.queries[number]
  const described = useMemo(() => describeResult(query, tables), [query, tables])
  const bucket = useMemo(() => findBucket(query), [query])
  const named = useMemo(
    () =>
      run.people.map(({ name }, person) => ({ name, table: run.tables[number]?.[person] ?? {} })),
    [run, number],
  )
  const rows = named.reduce((sum, { table }) => sum + (Object.values(table)[0]?.length ?? 0), 0)
  return (
    <Section
      title={run.tables.length === 1 ? 'Result' : `Result ${number + 1}`}
      description={`${rows.toLocaleString('en')} ${rows === 1 ? 'row' : 'rows'} in ${Math.round(run.milliseconds)} ms. ${ruleOf(run, number)} Times are local to the person.`}
      actions={<ExportButtons run={run} number={number} />}
    >
      <ResultTable tables={named} number={number + 1} described={described} bucket={bucket} />
    </Section>
  )
}
