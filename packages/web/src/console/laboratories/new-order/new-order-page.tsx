import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useRef, useState } from 'react'
import { unwrapResponse } from '../../api/client.ts'
import { useEnvironment } from '../../api/environment.ts'
import { Failure } from '../../components/failure.tsx'
import { Page } from '../../components/page.tsx'
import { Waiting } from '../../components/waiting.tsx'
import '../laboratories.css'
import { orderQuery } from '../order/order-queries.ts'
import { Checklist, showPart } from './checklist.tsx'
import { CollectionPart } from './collection-part.tsx'
import { ConsentsPart } from './consents-part.tsx'
import './new-order.css'
import { draftFromOrder, type OrderDraft, toBody } from './order-draft.ts'
import { PatientPart } from './patient-part.tsx'
import { PaymentPart } from './payment-part.tsx'
import { PersonPart } from './person-part.tsx'
import { PhysicianPart } from './physician-part.tsx'
import { QuestionsPart } from './questions-part.tsx'
import { RemarksPart } from './remarks-part.tsx'
import { TestsPart } from './tests-part.tsx'
import { useInitialDraft } from './use-start.ts'
import { PARTS, problemsOf, useValidation } from './validation.ts'

/** Places an order, or an order that replaces the one in the address. */
export function NewOrderPage(): ReactNode {
  const { replaces } = useSearch({ strict: false }) as { replaces?: string }
  const environment = useEnvironment()
  const { teamId, env } = environment
  const former = useQuery({
    ...orderQuery(environment, replaces ?? ''),
    enabled: replaces !== undefined,
    refetchInterval: false,
  })
  const start = useInitialDraft()
  const draft = replaces === undefined ? start.draft : former.data && draftFromOrder(former.data)
  const error = former.error ?? start.error
  return (
    <Page
      title={replaces === undefined ? 'New order' : 'Replace an order'}
      description="The form is checked while you fill it in."
      above={
        <Link to="/$team/$env/orders" params={{ team: teamId, env }}>
          Orders
        </Link>
      }
    >
      {error !== null && <Failure error={error} />}
      {draft ? (
        <OrderForm given={draft} />
      ) : (
        error === null && <Waiting label="Loading the form" lines={8} />
      )}
    </Page>
  )
}

function OrderForm({ given }: { given: OrderDraft }): ReactNode {
  const [draft, setDraft] = useState(given)
  const [isTried, setTried] = useState(false)
  const body = toBody(draft)
  const validation = useValidation(body)
  const problems = validation.data?.problems ?? []
  const place = usePlacing(body)
  const change = (changes: Partial<OrderDraft>) => setDraft((now) => ({ ...now, ...changes }))
  const demands = validation.data?.demands ?? null
  const part = { draft, change, problems, demands, isTried }
  const isBusy = useRef(false)
  const submit = async () => {
    if (isBusy.current) return
    isBusy.current = true
    setTried(true)
    await tryToPlace().finally(() => {
      isBusy.current = false
    })
  }
  const tryToPlace = async () => {
    const { data } = await validation.refetch()
    const first = data && PARTS.find(({ id }) => problemsOf(id, data.problems).length > 0)
    if (first) showPart(first.id)
    // The error is shown at the end of the form.
    else if (data?.is_valid) await place.mutateAsync().catch(() => {})
  }
  return (
    <form
      className="new-order"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <div className="new-order-parts">
        <PersonPart {...part} update={setDraft} />
        <TestsPart {...part} />
        <CollectionPart {...part} />
        <PatientPart {...part} />
        <QuestionsPart {...part} />
        <ConsentsPart {...part} />
        <PaymentPart {...part} />
        <PhysicianPart {...part} />
        <RemarksPart {...part} />
      </div>
      <aside className="new-order-side" aria-label="State of the order">
        <h2>{problems.length === 0 && validation.data ? 'Ready' : 'Not ready yet'}</h2>
        {validation.error && (
          <Failure error={validation.error} onRetry={() => validation.refetch()} />
        )}
        <Checklist
          problems={problems}
          isKnown={demands !== null}
          isChecking={!validation.isCurrent}
        />
        {place.error && <Failure error={place.error} />}
        <Button type="submit" fullWidth loading={place.isPending}>
          {draft.replaces ? 'Replace order' : 'Place order'}
        </Button>
        <p className="quiet" role="status">
          {draft.activateBy
            ? `The laboratory receives it on ${draft.activateBy}.`
            : 'The laboratory receives it at once.'}
        </p>
      </aside>
    </form>
  )
}

/** Places the order once, however often the button is pressed, and opens its page. */
function usePlacing(body: ReturnType<typeof toBody>) {
  const { team, teamId, env, key } = useEnvironment()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [idempotencyKey] = useState(() => crypto.randomUUID())
  return useMutation({
    mutationFn: () => {
      const header = {
        'x-idempotency-key': idempotencyKey,
        'x-idempotency-error': 'no-cache',
      } as const
      return unwrapResponse(team.POST('/v3/order/create', { params: { header }, body }))
    },
    onSuccess: async ({ order }) => {
      client.removeQueries({ queryKey: [...key, 'order_validation'] })
      await client.invalidateQueries({ queryKey: [...key, 'orders'] })
      await navigate({
        to: '/$team/$env/orders/$order',
        params: { team: teamId, env, order: order.id },
      })
    },
  })
}
