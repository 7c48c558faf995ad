import type { ReactNode } from 'react'
import { unwrapResponse } from '../../../api/client.ts'
import { useEnvironment } from '../../../api/environment.ts'
import { SearchPicker } from '../../../components/search-picker.tsx'

interface Payor {
  code: string
  name: string
}

interface PayorFieldProps {
  payor: Payor | undefined
  error: string | undefined
  onChange: (payor: Payor) => void
}

/** Longer lists are not read: another word narrows them. */
const MOST_PAYORS = 20

/** A search for the payor by its name or an alias. */
export function PayorField({ payor, error, onChange }: PayorFieldProps): ReactNode {
  const { team } = useEnvironment()
  return (
    <SearchPicker<Payor>
      name="payors"
      label="Insurer"
      placeholder="Name of the insurer"
      picked={payor === undefined ? '' : `${payor.name} (${payor.code})`}
      error={error}
      search={async (words, signal) => {
        const query = { insurance_name: words }
        const request = team.GET('/v3/insurance/search/payor', { params: { query }, signal })
        const found = await unwrapResponse(request)
        return found.slice(0, MOST_PAYORS).map(({ payor_code: code, name, org_address: at }) => ({
          key: code,
          title: name,
          detail: `${code}, ${at.city} ${at.state}`,
          item: { code, name },
        }))
      }}
      onPick={onChange}
    />
  )
}
