import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { unwrapResponse } from '../../api/client.ts'
import { type Environment, useEnvironment } from '../../api/environment.ts'
import { Allowed } from '../../components/allowed.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Failure } from '../../components/failure.tsx'
import { IconPlus, IconSearch } from '../../components/icons.tsx'
import { describeMethod } from '../../components/order-words.ts'
import { StatusBadge } from '../../components/status-badge.tsx'
import { useViewState } from '../../shell/view-state.ts'
import {
  describePrice,
  describeTestStatus,
  describeTurnaround,
  type LabTest,
} from './catalog-queries.ts'
import { LabFilter } from './lab-filter.tsx'
import { LabTestDialog } from './lab-test-dialog.tsx'
import { NewLabTestDialog } from './new-lab-test-dialog.tsx'

const METHODS = ['walk_in_test', 'at_home_phlebotomy', 'on_site_collection', 'testkit'] as const
const STATUSES = ['active', 'pending_approval', 'inactive'] as const
const NO_FILTERS = { lab: '', method: '', status: 'active', made: 'manual' }
type Filters = typeof NO_FILTERS

const oneOf = <T extends string>(known: readonly T[], text: string): T | undefined =>
  known.find((value) => value === text)

const testsQuery = ({ key, team }: Environment, filters: Filters, name: string) =>
  infiniteQueryOptions({
    queryKey: [...key, 'lab_tests', filters, name],
    queryFn: ({ pageParam, signal }) => {
      const query = {
        lab_test_limit: 50,
        include_pricing: true,
        generation_method: filters.made === 'all' ? ('all' as const) : ('manual' as const),
        ...(pageParam && { next_cursor: pageParam }),
        ...(name && { name }),
        ...(filters.lab && { lab_slug: filters.lab }),
        collection_method: oneOf(METHODS, filters.method),
        status: oneOf(STATUSES, filters.status),
      }
      return unwrapResponse(team.GET('/v3/lab_test', { params: { query }, signal }))
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor: cursor }) => cursor ?? undefined,
    placeholderData: keepPreviousData,
  })

/** Lists the tests that the team can order, with their markers. */
export function LabTestsTab(): ReactNode {
  const environment = useEnvironment()
  const [filters, change] = useViewState(NO_FILTERS as Filters)
  const [name, setName] = useState('')
  const [debounced] = useDebouncedValue(name.trim(), 250)
  const [opened, setOpened] = useState<LabTest>()
  const [isMaking, setMaking] = useState(false)
  const tests = useInfiniteQuery(testsQuery(environment, filters, debounced))
  const pages = tests.data?.pages
  const prices = Object.assign({}, ...(pages ?? []).map(({ pricing }) => pricing?.data ?? {}))
  return (
    <>
      <search className="catalog-filters" aria-label="Filters of the tests">
        <TextInput
          className="catalog-search"
          aria-label="Search tests"
          placeholder="Name of the test"
          leftSection={<IconSearch size={16} aria-hidden />}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <LabFilter value={filters.lab} onChange={(lab) => change({ lab })} />
        <NativeSelect
          size="sm"
          aria-label="Collection method"
          value={filters.method}
          onChange={({ currentTarget }) => change({ method: currentTarget.value })}
          data={[
            { value: '', label: 'Any collection method' },
            ...METHODS.map((value) => ({ value, label: describeMethod(value) })),
          ]}
        />
        <NativeSelect
          size="sm"
          aria-label="State of the test"
          value={filters.status}
          onChange={({ currentTarget }) => change({ status: currentTarget.value })}
          data={[
            { value: 'active', label: 'Can be ordered' },
            { value: 'pending_approval', label: 'Waits for approval' },
            { value: 'inactive', label: 'Archived' },
            { value: 'any', label: 'Any state' },
          ]}
        />
        <Allowed to="catalog:write">
          <Button
            variant="outline"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => setMaking(true)}
          >
            New test
          </Button>
        </Allowed>
      </search>
      {tests.error ? (
        <Failure error={tests.error} onRetry={tests.refetch} />
      ) : (
        <DataTable
          label="Lab tests"
          columns={columnsOf(setOpened, prices)}
          rows={pages?.flatMap(({ data }) => data)}
          rowKey={({ id }) => id}
          empty={
            <EmptyState title="No tests match.">
              Clear a filter, or create a test of the markers that you need.
            </EmptyState>
          }
          more={tests}
        />
      )}
      <LabTestDialog test={opened} onClose={() => setOpened(undefined)} />
      <NewLabTestDialog key={String(isMaking)} isOpen={isMaking} onClose={() => setMaking(false)} />
    </>
  )
}

function columnsOf(
  onOpen: (test: LabTest) => void,
  prices: Record<string, { pricing: object } | undefined>,
): readonly Column<LabTest>[] {
  return [
    {
      key: 'name',
      title: 'Test',
      width: 'minmax(0, 2fr)',
      render: (test) => (
        <button type="button" className="link-button" onClick={() => onOpen(test)}>
          {test.name}
        </button>
      ),
    },
    { key: 'lab', title: 'Laboratory', render: ({ lab }) => lab?.name ?? '–' },
    { key: 'method', title: 'Collection', render: ({ method }) => describeMethod(method) },
    {
      key: 'markers',
      title: 'Markers',
      width: '5rem',
      isNumeric: true,
      render: ({ markers }) => markers?.length ?? '–',
    },
    {
      key: 'days',
      title: 'Results in',
      width: '7rem',
      render: (test) => describeTurnaround(test.common_tat_days, test.worst_case_tat_days),
    },
    {
      key: 'price',
      title: 'Price',
      width: '6rem',
      isNumeric: true,
      render: ({ id }) => describePrice(prices[id]?.pricing),
    },
    {
      key: 'status',
      title: 'State',
      width: '9.5rem',
      render: ({ status }) => {
        const { label, tone } = describeTestStatus(status)
        return <StatusBadge tone={tone}>{label}</StatusBadge>
      },
    },
  ]
}
