import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Action, firstStep, nextStep, type Step } from '../src/link/flow.machine.ts'
import type { LinkConfig, Provider } from '../src/link/link-client.ts'

/** Steps of a provider with OAuth and with regions. */

const providerOf = (slug: string, auth_type: string, options?: string[]): Provider => ({
  slug,
  name: slug,
  description: slug,
  logo: '',
  auth_type,
  form_components: options === undefined ? {} : { region: { options } },
})
const DEXCOM = providerOf('dexcom_v3', 'team_oauth', ['us', 'eu', 'jp'])
const OURA = providerOf('oura', 'oauth')
const ONE_REGION = providerOf('one_region', 'oauth', ['us'])
const NO_REGION = providerOf('no_region', 'oauth', [])
const LIBRE = providerOf('freestyle_libre', 'email', ['us', 'ca'])

const configOf = (provider: string | null = null): LinkConfig => ({
  team: { name: 'Example Health', logo_url: null },
  providers: [DEXCOM, OURA, ONE_REGION, NO_REGION, LIBRE],
  redirect_url: null,
  provider,
})

/** Returns the steps of a person, after the first one. */
function walk(config: LinkConfig, ...actions: Action[]): Step[] {
  const steps = [firstStep(config)]
  for (const action of actions) steps.push(nextStep(config, steps.at(-1) as Step, action))
  return steps.slice(1)
}

const AGREED: Action = { type: 'agreed' }
const CHOSEN: Action = { type: 'chosen', provider: DEXCOM }
const JAPAN: Action = { type: 'chose_region', region: 'jp' }
const refused = (errorType: string): Action => ({ type: 'refused', errorType, provider: DEXCOM })

test('a provider with OAuth and regions asks for the region, and is opened with it', () => {
  assert.deepEqual(walk(configOf(), AGREED, CHOSEN, JAPAN), [
    { name: 'list' },
    { name: 'region', provider: DEXCOM },
    { name: 'handover', provider: DEXCOM, region: 'jp' },
  ])
  assert.deepEqual(walk(configOf('dexcom_v3'), AGREED), [{ name: 'region', provider: DEXCOM }])
})

test('another provider with OAuth is opened at once, also one with a single region', () => {
  for (const provider of [OURA, ONE_REGION, NO_REGION]) {
    const [, step] = walk(configOf(), AGREED, { type: 'chosen', provider })
    assert.deepEqual(step, { name: 'handover', provider })
  }
  const [, form] = walk(configOf(), AGREED, { type: 'chosen', provider: LIBRE })
  assert.deepEqual(form, { name: 'sign_in', provider: LIBRE, refusals: 0 })
})

test('a refused region is shown in the step, each time', () => {
  const refusal = refused('unsupported_region')
  const steps = walk(configOf(), AGREED, CHOSEN, JAPAN, refusal, JAPAN, refusal)
  const again = { name: 'region', provider: DEXCOM, refused: 'jp' }
  assert.deepEqual([steps[3], steps[5]], [again, again])
})

test('another failure has a page of its own, and a further try asks for the region', () => {
  const steps = walk(configOf(), AGREED, CHOSEN, JAPAN, refused('offline'), { type: 'tried_again' })
  assert.deepEqual(steps.slice(3), [
    { name: 'failed', failure: 'offline', provider: DEXCOM },
    { name: 'region', provider: DEXCOM },
  ])
  const oura: Action = { type: 'chosen', provider: OURA }
  const refusal: Action = { type: 'refused', errorType: 'unsupported_region', provider: OURA }
  assert.deepEqual(walk(configOf(), AGREED, oura, refusal)[2], {
    name: 'failed',
    failure: 'unsupported_region',
    provider: OURA,
  })
})

test('back leads to the list, or to the consent with one provider', () => {
  const left: Action = { type: 'left' }
  assert.deepEqual(walk(configOf(), AGREED, CHOSEN, left).at(-1), { name: 'list' })
  assert.deepEqual(walk(configOf('dexcom_v3'), AGREED, left).at(-1), { name: 'consent' })
})

test('a region without the step for it changes nothing', () => {
  assert.deepEqual(walk(configOf(), AGREED, JAPAN).at(-1), { name: 'list' })
})
