import { NativeSelect } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { unwrapResponse } from '../../api/client.ts'
import { type Environment, useEnvironment } from '../../api/environment.ts'
import { Failure } from '../../components/failure.tsx'
import { describeMethod } from '../../components/order-words.ts'
import { Waiting } from '../../components/waiting.tsx'
import { SiteList } from '../centers/site-list.tsx'
import type { AppointmentLab } from '../order/appointment/appointment-labs.generated.ts'
import {
  findBookedLab,
  RADII,
  type Radius,
  siteSlotsQuery,
  visitSlotsQuery,
} from '../order/appointment/appointment-queries.ts'
import { areaQuery } from '../order/appointment/request-visit.tsx'
import { SlotPicker } from '../order/appointment/slot-picker.tsx'
import type { OrderDemands } from './order-draft.ts'
import { FormPart, type PartProps } from './part.tsx'

const MEANINGS: Readonly<Record<string, string>> = {
  walk_in_test: 'The patient goes to a site of the laboratory.',
  at_home_phlebotomy: 'A phlebotomist visits the patient.',
  on_site_collection: 'You collect the sample, and report the collection.',
  testkit: 'The patient receives a kit and sends it back to the laboratory.',
}

const ZIP = /^\d{5}(-\d{4})?$/

/** The collection method, with sites or visits near the patient's address. */
export function CollectionPart({
  draft,
  change,
  problems,
  demands,
  isTried,
}: PartProps): ReactNode {
  const method = demands?.collection_method ?? draft.method
  const hasZip = ZIP.test(draft.address.zip.trim())
  return (
    <FormPart id="collection" problems={problems} isTried={isTried}>
      {demands === null ? (
        <p className="quiet">Choose tests first. The methods depend on the laboratory.</p>
      ) : (
        <fieldset className="choice-cards">
          <legend className="visually-hidden">Collection method</legend>
          {demands.lab.collection_methods.map((offered) => (
            <label key={offered} className="choice-card">
              <input
                type="radio"
                name="collection_method"
                checked={method === offered}
                onChange={() => change({ method: offered })}
              />
              <span>
                <strong>{describeMethod(offered)}</strong>
                <span className="quiet">{MEANINGS[offered]}</span>
              </span>
            </label>
          ))}
        </fieldset>
      )}
      {demands && method === 'walk_in_test' && (
        <NearSites demands={demands} zip={hasZip ? draft.address.zip.trim() : undefined} />
      )}
      {demands && method === 'at_home_phlebotomy' && hasZip && <VisitPreview draft={draft} />}
    </FormPart>
  )
}

const nearSitesQuery = ({ key, team }: Environment, demands: OrderDemands, search: NearSearch) =>
  queryOptions({
    queryKey: [...key, 'near_sites', demands.lab.id, demands.lab_account?.id, search],
    queryFn: async ({ signal }) => {
      const account = demands.lab_account?.id
      const query = {
        zip_code: search.zip.slice(0, 5),
        lab_id: demands.lab.id,
        radius: search.radius,
        // An account of the installation cannot be named in the request.
        ...(account && search.isOwnAccount && { lab_account_id: account }),
      }
      const pending = team.GET('/v3/order/psc/info', { params: { query }, signal })
      const { patient_service_centers: sites } = await unwrapResponse(pending)
      return { sites, warning: (await pending).response.headers.get('x-salus-warning') }
    },
    staleTime: 300_000,
  })

interface NearSearch {
  zip: string
  radius: Radius
  isOwnAccount: boolean
}

/**
 * Lists sites by distance, and the next free times of the nearest ones where they can be booked.
 */
function NearSites({
  demands,
  zip,
}: {
  demands: OrderDemands
  zip: string | undefined
}): ReactNode {
  const environment = useEnvironment()
  const [radius, setRadius] = useState<Radius>('25')
  const search = { zip: zip ?? '', radius, isOwnAccount: false }
  const { data, error, refetch } = useQuery({
    ...nearSitesQuery(environment, demands, search),
    enabled: zip !== undefined,
  })
  const lab = findBookedLab(demands.lab.slug)
  if (zip === undefined) {
    return <p className="quiet">Enter the ZIP code to see the nearest sites.</p>
  }
  return (
    <div className="stack">
      <NativeSelect
        className="narrow"
        size="sm"
        label={`Sites of ${demands.lab.name}`}
        value={radius}
        onChange={({ currentTarget }) => setRadius(currentTarget.value as Radius)}
        data={RADII.map((value) => ({ value, label: `Within ${value} miles of ${zip}` }))}
      />
      {error && <Failure error={error} onRetry={refetch} />}
      {data === undefined && !error && <Waiting label="Loading sites" />}
      {data && data.sites.length > 0 && <SiteList sites={data.sites} />}
      {data?.sites.length === 0 && (
        <p className="quiet">
          {data.warning
            ? `No sites were found: ${data.warning}.`
            : 'There is no site within this distance. Choose a larger distance.'}
        </p>
      )}
      {lab && data && data.sites.length > 0 && <SitePreview lab={lab} zip={zip} />}
    </div>
  )
}

function SitePreview({ lab, zip }: { lab: AppointmentLab; zip: string }): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const search = { lab, siteCodes: [], zip, from: '' }
  const { data, error, refetch } = useQuery({
    ...siteSlotsQuery(useEnvironment(), search),
    enabled: isOpen,
  })
  return (
    <FreeTimes title="Free times at the nearest sites" onOpen={setOpen}>
      {error ? (
        <Failure error={error} onRetry={refetch} />
      ) : data === undefined ? (
        <Waiting label="Loading free times" />
      ) : (
        <SlotPicker availability={data} chosen={undefined} onChoose={() => {}} isPreview />
      )}
    </FreeTimes>
  )
}

interface FreeTimesProps {
  title: string
  onOpen: (isOpen: boolean) => void
  children: ReactNode
}

/** Shows times that are free now; one of them is booked on the page of the order. */
function FreeTimes({ title, onOpen, children }: FreeTimesProps): ReactNode {
  return (
    <details className="choose-slots" onToggle={({ currentTarget }) => onOpen(currentTarget.open)}>
      <summary>{title}</summary>
      <div className="stack">
        <p className="quiet">You can book a time on the page of the order after placing it.</p>
        {children}
      </div>
    </details>
  )
}

/** Shows whether phlebotomists visit the address, and when. */
function VisitPreview({ draft }: Pick<PartProps, 'draft'>): ReactNode {
  const environment = useEnvironment()
  const [isOpen, setOpen] = useState(false)
  const { first_line: line, city, state, zip } = draft.address
  const area = useQuery(areaQuery(environment, zip))
  const isWhole = [line, city, state].every((text) => text.trim() !== '')
  const slots = useQuery({
    ...visitSlotsQuery(environment, draft.address, ''),
    enabled: isOpen && isWhole,
  })
  if (area.data === undefined) return null
  if (!area.data.phlebotomy.is_served) {
    return (
      <p className="part-warning">
        There is no phlebotomist for {zip}. You can place the order, but not book a visit.
      </p>
    )
  }
  return (
    <>
      <p className="quiet">There are phlebotomists for {zip}. Patients must be 18 or older.</p>
      {isWhole && (
        <FreeTimes title="Free times" onOpen={setOpen}>
          {slots.error ? (
            <Failure error={slots.error} onRetry={slots.refetch} />
          ) : slots.data === undefined ? (
            <Waiting label="Loading free times" />
          ) : (
            <SlotPicker
              availability={slots.data}
              chosen={undefined}
              onChoose={() => {}}
              isPreview
            />
          )}
        </FreeTimes>
      )}
    </>
  )
}
