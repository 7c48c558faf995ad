import { TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import {
  infiniteQueryOptions,
  keepPreviousData,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { unwrapResponse } from '../../api/client.ts'
import { type Environment, useEnvironment } from '../../api/environment.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Failure } from '../../components/failure.tsx'
import { formatQuantity } from '../../components/format-quantity.ts'
import { IconSearch } from '../../components/icons.tsx'
import { useViewState } from '../../shell/view-state.ts'
import { describeTurnaround, labsQuery, type MarkerComplete } from './catalog-queries.ts'
import { LabFilter } from './lab-filter.tsx'
import { MarkerFacts } from './marker-facts.tsx'

const NO_FILTERS = { lab: '', single: '' }
type Filters = typeof NO_FILTERS

const markersQuery = ({ key, team }: Environment, filters: Filters, name: string) =>
  infiniteQueryOptions({
    queryKey: [...key, 'markers', filters, name],
    queryFn: ({ pageParam, signal }) => {
      const query = {
        name,
        page: pageParam,
        size: 100,
        ...(filters.lab && { lab_slug: filters.lab }),
        ...(filters.single && { a_la_carte_enabled: true }),
      }
      return unwrapResponse(team.GET('/v3/lab_tests/markers', { params: { query }, signal }))
    },
    initialPageParam: 1,
    getNextPageParam: ({ page, pages }) => (page < pages ? page + 1 : undefined),
    placeholderData: keepPreviousData,
  })

/** Lists all markers of the laboratories, one row for each orderable. */
export function MarkersTab(): ReactNode {
  const environment = useEnvironment()
  const [filters, change] = useViewState(NO_FILTERS as Filters)
  const [name, setName] = useState('')
  const [debounced] = useDebouncedValue(name.trim(), 250)
  const [opened, setOpened] = useState<MarkerComplete>()
  const { data: labs = [] } = useQuery(labsQuery(environment))
  const markers = useInfiniteQuery(markersQuery(environment, filters, debounced))
  const pages = markers.data?.pages
  const labNames = new Map(labs.map((lab) => [lab.id, lab.name]))
  return (
    <>
      <search className="catalog-filters" aria-label="Filters of the markers">
        <TextInput
          className="catalog-search"
          aria-label="Search markers"
          placeholder="Name, or code of the laboratory"
          leftSection={<IconSearch size={16} aria-hidden />}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <LabFilter value={filters.lab} onChange={(lab) => change({ lab })} />
        <label className="check">
          <input
            type="checkbox"
            checked={filters.single !== ''}
            onChange={({ currentTarget }) => change({ single: currentTarget.checked ? '1' : '' })}
          />
          Can be ordered by itself
        </label>
        <span className="quiet" role="status">
          {pages?.[0] && formatQuantity(pages[0].total, 'marker')}
        </span>
      </search>
      {markers.error ? (
        <Failure error={markers.error} onRetry={markers.refetch} />
      ) : (
        <DataTable
          label="Markers"
          columns={columnsOf(setOpened, labNames)}
          rows={pages?.flatMap((page) => page.markers)}
          rowKey={({ id }) => String(id)}
          empty={
            <EmptyState title="No markers match.">Clear a filter, or try fewer words.</EmptyState>
          }
          more={markers}
        />
      )}
      <Dialog
        title={opened?.name ?? ''}
        isOpen={opened !== undefined}
        onClose={() => setOpened(undefined)}
      >
        {opened && <MarkerFacts marker={opened} />}
      </Dialog>
    </>
  )
}

function columnsOf(
  onOpen: (marker: MarkerComplete) => void,
  labNames: ReadonlyMap<number, string>,
): readonly Column<MarkerComplete>[] {
  return [
    {
      key: 'name',
      title: 'Marker',
      width: 'minmax(0, 2fr)',
      render: (marker) => (
        <button type="button" className="link-button" onClick={() => onOpen(marker)}>
          {marker.name}
        </button>
      ),
    },
    {
      key: 'lab',
      title: 'Laboratory',
      render: ({ lab_id: labId }) => labNames.get(labId ?? 0) ?? '–',
    },
    {
      key: 'code',
      title: 'Code',
      width: '7rem',
      render: ({ provider_id: code }) => (code ? <code>{code}</code> : '–'),
    },
    {
      key: 'results',
      title: 'Results',
      width: '5rem',
      isNumeric: true,
      render: ({ expected_results: results }) => results.length,
    },
    {
      key: 'questions',
      title: 'Questions',
      width: '7rem',
      render: ({ aoe }) =>
        aoe?.questions.length
          ? `${aoe.questions.length} ${aoe.questions.length === 1 ? 'question' : 'questions'}`
          : '–',
    },
    {
      key: 'days',
      title: 'Results in',
      width: '7rem',
      render: (marker) => describeTurnaround(marker.common_tat_days, marker.worst_case_tat_days),
    },
  ]
}
