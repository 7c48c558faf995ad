import type { ReactNode } from 'react'
import type { components } from '../../api/openapi.generated.d.ts'
import './site-list.css'

type Site = components['schemas']['LabLocation']

interface SiteListProps {
  /** Nearest first. */
  sites: readonly Site[]
  chosen?: readonly string[]
  /** Lets the reader choose up to three sites whose free times are shown. */
  onChoose?: (siteCodes: string[]) => void
}

const MOST_SITES = 3

/** Lists the sites of a laboratory with distance, opening hours and capabilities. */
export function SiteList({ sites, chosen = [], onChoose }: SiteListProps): ReactNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard
    <ul className="site-list" tabIndex={0} aria-label="Sites, nearest first">
      {sites.map((site) => (
        <li key={site.site_code}>
          {onChoose !== undefined && isBookable(site) && (
            <input
              type="checkbox"
              aria-label={`Free times at ${site.metadata.name}`}
              checked={chosen.includes(site.site_code)}
              disabled={chosen.length >= MOST_SITES && !chosen.includes(site.site_code)}
              onChange={({ currentTarget }) =>
                onChoose(
                  currentTarget.checked
                    ? [...chosen, site.site_code]
                    : chosen.filter((code) => code !== site.site_code),
                )
              }
            />
          )}
          <SiteFacts site={site} />
        </li>
      ))}
    </ul>
  )
}

const isBookable = ({ capabilities }: Site): boolean =>
  capabilities.includes('appointment_scheduling_via_service')

function SiteFacts({ site }: { site: Site }): ReactNode {
  const { metadata, distance, capabilities } = site
  const { name, first_line: line, city, state, zip_code: zip, phone_number: phone } = metadata
  const hours = describeToday(metadata.hours as Hours)
  return (
    <div>
      <strong>{name}</strong>
      <span className="site-distance">{Number(distance).toFixed(1)} miles</span>
      <div>
        {line}, {city}, {state} {zip}
      </div>
      <div className="quiet">
        {[
          hours,
          phone,
          isBookable(site) ? 'Takes appointments' : 'Takes walk-ins',
          capabilities.includes('stat') && 'Urgent tests',
        ]
          .filter(Boolean)
          .join(' · ')}
      </div>
    </div>
  )
}

type Hours = Record<string, { open: string; close: string }[]> | null

const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']

/** Describes the opening hours of today, in the local time of the site. */
function describeToday(hours: Hours): string | undefined {
  if (hours === null) return undefined
  const today = hours[DAYS[new Date().getDay()] ?? '']
  if (today === undefined) return undefined
  if (today.length === 0) return 'Closed today'
  return `Today ${today.map(({ open, close }) => `${open} to ${close}`).join(', ')}`
}
