import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { unwrapResponse } from '../../api/client.ts'
import { useEnvironment } from '../../api/environment.ts'
import type { components } from '../../api/openapi.generated.d.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { Failure } from '../../components/failure.tsx'
import { Section } from '../../components/page.tsx'
import { ChosenList, SearchPicker } from '../../components/search-picker.tsx'
import type { Named } from '../new-order/order-draft.ts'
import { humanizeName } from '../words.ts'
import '../new-order/new-order.css'

type Answer = components['schemas']['CompendiumAnswer']
type Candidate = components['schemas']['PerLabCandidate']
type Conversion = components['schemas']['ConversionAnswer']

const LABS = [
  { value: 'quest', label: 'Quest' },
  { value: 'labcorp', label: 'Labcorp' },
  { value: 'bioreference', label: 'BioReference' },
  { value: 'sonora_quest', label: 'Sonora Quest' },
] as const
type TargetLab = (typeof LABS)[number]['value']

const nameLab = (slug: string): string => LABS.find(({ value }) => value === slug)?.label ?? slug

/** Shows the names of a test at each laboratory, and converts a test to another laboratory. */
export function CompendiumTab(): ReactNode {
  return (
    <>
      <SearchAcross />
      <ConvertTest />
    </>
  )
}

function SearchAcross(): ReactNode {
  const { team } = useEnvironment()
  const [words, setWords] = useState('')
  const search = useMutation({
    mutationFn: (query: string) => {
      const body = { mode: 'crosswalk' as const, query, limit: 3, include_related: true }
      return unwrapResponse(
        team.POST('/v3/compendium/search', { body: { ...body, cpt_codes: [] } }),
      )
    },
  })
  return (
    <Section
      title="Find a test at every laboratory"
      description="Search by name, synonym or LOINC code."
    >
      <form
        className="compendium-form"
        onSubmit={(event) => {
          event.preventDefault()
          if (words.trim() !== '') search.mutate(words.trim())
        }}
      >
        <TextInput
          className="catalog-search"
          aria-label="Test to find"
          placeholder="Such as vitamin D, A1c or 2085-9"
          maxLength={200}
          value={words}
          onChange={({ currentTarget }) => setWords(currentTarget.value)}
        />
        <Button type="submit" loading={search.isPending} disabled={words.trim() === ''}>
          Find tests
        </Button>
      </form>
      {search.error && <Failure error={search.error} />}
      {search.data && <Crosswalk answer={search.data} />}
    </Section>
  )
}

function Crosswalk({ answer }: { answer: Answer }): ReactNode {
  const { selected_canonical: found, related } = answer
  if (found === null) {
    return <EmptyState title="No test was found">Try another name, or fewer words.</EmptyState>
  }
  const perLab = Object.entries(answer.per_lab as Record<string, Candidate[]>)
  return (
    <div className="stack">
      <p>
        <strong>{found.display_name}</strong>{' '}
        {found.loinc_codes.slice(0, 6).map((code) => (
          <code key={code}>{code} </code>
        ))}
      </p>
      <div className="fact-columns">
        {perLab.map(([slug, candidates]) => (
          <div key={slug}>
            <h3 className="fact-title">{nameLab(slug)}</h3>
            <CandidateList candidates={candidates} />
          </div>
        ))}
      </div>
      {related.length > 0 && (
        <p className="quiet">
          Related: {related.map(({ canonical }) => canonical.display_name).join(', ')}
        </p>
      )}
    </div>
  )
}

const RELATIONS: Readonly<Record<string, string>> = {
  exact: 'the same',
  subset: 'measures less',
  superset: 'measures more',
  overlap: 'partly the same',
  suggested: 'perhaps',
}

function CandidateList({ candidates }: { candidates: readonly Candidate[] }): ReactNode {
  if (candidates.length === 0) return <p className="quiet">There is no similar test.</p>
  return (
    <ul className="plain-list">
      {candidates.map((candidate) => (
        <li key={candidate.marker_id}>
          {candidate.name} {candidate.provider_id && <code>{candidate.provider_id}</code>}
          <span className="quiet">
            {' '}
            {RELATIONS[candidate.relation] ?? humanizeName(candidate.relation)}
          </span>
        </li>
      ))}
    </ul>
  )
}

function ConvertTest(): ReactNode {
  const { team } = useEnvironment()
  const [test, setTest] = useState<Named<string>>()
  const [lab, setLab] = useState<TargetLab>('labcorp')
  const convert = useMutation({
    mutationFn: (lab_test_id: string) =>
      unwrapResponse(
        team.POST('/v3/compendium/convert', { body: { lab_test_id, target_lab: lab, limit: 3 } }),
      ),
  })
  return (
    <Section
      title="Convert a test to another laboratory"
      description="Finds the orderables of another laboratory that measure the same as a test of yours."
    >
      {test ? (
        <ChosenList
          label="Test to convert"
          items={[test]}
          nameOf={({ name }) => name}
          onRemove={() => setTest(undefined)}
        />
      ) : (
        <SearchPicker<Named<string>>
          name="tests_to_convert"
          label="Find a test"
          fewest={0}
          search={async (name, signal) => {
            const query = { lab_test_limit: 20, ...(name && { name }) }
            const { data } = await unwrapResponse(
              team.GET('/v3/lab_test', { params: { query }, signal }),
            )
            return data.map((found) => ({
              key: found.id,
              title: found.name,
              detail: found.lab?.name,
              item: { id: found.id, name: found.name },
            }))
          }}
          onPick={setTest}
        />
      )}
      <div className="compendium-form">
        <NativeSelect
          size="sm"
          aria-label="Target laboratory"
          value={lab}
          onChange={({ currentTarget }) => setLab(currentTarget.value as TargetLab)}
          data={[...LABS]}
        />
        <Button
          loading={convert.isPending}
          disabled={test === undefined}
          onClick={() => test && convert.mutate(test.id)}
        >
          Convert test
        </Button>
      </div>
      {convert.error && <Failure error={convert.error} />}
      {convert.data && <Converted answer={convert.data} />}
    </Section>
  )
}

function Converted({ answer }: { answer: Conversion }): ReactNode {
  const bySource = answer.by_source_provider_id as Record<string, { candidates: Candidate[] }>
  return (
    <div className="fact-columns">
      {answer.source_provider_ids.map((code) => (
        <div key={code}>
          <h3 className="fact-title">
            <code>{code}</code>
          </h3>
          <CandidateList candidates={bySource[code]?.candidates ?? []} />
        </div>
      ))}
    </div>
  )
}
