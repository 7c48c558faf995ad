import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  EVENT_TYPES,
  type EventDataByType,
  isEvent,
  isEventUnder,
  type KnownEvent,
  type SalusEvent,
  type UnknownEvent,
} from './index.ts'
import { verifyWebhook } from './webhooks.ts'

type Connected = EventDataByType['provider.connection.created']
type Heartrate = EventDataByType['daily.data.heartrate.created']

/** Fails to compile unless the type of the value is exactly the one that is named. */
type Same<One, Other> =
  (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? One : never
function isExactly<Expected>() {
  return <Actual>(_value: Same<Actual, Expected>): void => {}
}

const eventOf = (name: string): SalusEvent =>
  ({ event_type: name, data: {}, team_id: 'team' }) as unknown as SalusEvent

const CONNECTED = eventOf('provider.connection.created')
const HEARTRATE = eventOf('daily.data.heartrate.created')
const FUTURE = eventOf('daily.data.heartrate.of_the_future')

test('comparing the type of an event narrows its data, and leaves unknown events', () => {
  const nameOf = (event: SalusEvent): string => {
    switch (event.event_type) {
      case 'provider.connection.created':
        isExactly<Connected>()(event.data)
        return 'connection'
      case 'daily.data.heartrate.created':
      case 'daily.data.heartrate.updated':
        isExactly<Heartrate>()(event.data)
        return 'heart rate'
      // @ts-expect-error There is no such event.
      case 'daily.data.hartrate.created':
        return 'never'
      default:
        return `ignored ${event.event_type}`
    }
  }
  assert.equal(nameOf(CONNECTED), 'connection')
  assert.equal(nameOf(HEARTRATE), 'heart rate')
  assert.equal(nameOf(FUTURE), 'ignored daily.data.heartrate.of_the_future')
})

test('an event of no known type is an unknown one, whose type is a text', () => {
  const describeEvent = (event: SalusEvent): string => {
    const anyName: string = event.event_type
    return anyName
  }
  const read = (event: UnknownEvent): unknown => {
    // @ts-expect-error Nothing is known about its data.
    event.data.value
    return event.data
  }
  assert.equal(describeEvent(FUTURE), 'daily.data.heartrate.of_the_future')
  assert.deepEqual(read(FUTURE as UnknownEvent), {})
})

test('the data of an event that was not narrowed cannot be read', () => {
  const read = (event: SalusEvent): unknown => {
    // @ts-expect-error It may be of any type.
    event.data.user_id
    isExactly<string | undefined>()(event.user_id)
    isExactly<string>()(event.team_id)
    return event.data
  }
  assert.deepEqual(read(HEARTRATE), {})
})

test('isEvent recognizes and narrows one type', () => {
  const event = HEARTRATE
  assert.ok(isEvent(event, 'daily.data.heartrate.created'))
  isExactly<Heartrate>()(event.data)
  isExactly<KnownEvent<'daily.data.heartrate.created'>>()(event)
  assert.ok(!isEvent(CONNECTED, 'daily.data.heartrate.created'))
  assert.ok(!isEvent(FUTURE, 'daily.data.heartrate.created'))
  // @ts-expect-error There is no such event.
  assert.ok(!isEvent(CONNECTED, 'daily.data.hartrate.created'))
})

test('isEventUnder recognizes and narrows the types that start alike', () => {
  const event = HEARTRATE
  assert.ok(isEventUnder(event, 'daily.data.heartrate'))
  isExactly<Heartrate>()(event.data)
  assert.ok(isEventUnder(event, 'daily'))
  assert.ok(!isEventUnder(event, 'provider.connection'))
  // @ts-expect-error No event starts like this.
  assert.ok(!isEventUnder(event, 'daily.data.heart'))
  // @ts-expect-error This is all of a type, not the start of one.
  assert.ok(!isEventUnder(event, 'daily.data.heartrate.created'))
})

test('isEventUnder leaves out events that are not known, as their data may be anything', () => {
  assert.ok(!isEventUnder(FUTURE, 'daily.data.heartrate'))
})

test('the list of types holds the types that data is known of, each once', () => {
  const names: ReadonlySet<string> = new Set(EVENT_TYPES)
  assert.equal(names.size, EVENT_TYPES.length)
  assert.ok(names.has('provider.connection.created'))
})

test('misuse of verifyWebhook does not compile', () => {
  const neverCalled = (body: object, headers: Headers): void => {
    // @ts-expect-error The body must not have been parsed.
    verifyWebhook(body, headers, 'whsec_')
    // @ts-expect-error The secret may not be set.
    verifyWebhook('', headers, process.env.WEBHOOK_SECRET)
    // @ts-expect-error Headers are required.
    verifyWebhook('', 'whsec_')
    // @ts-expect-error The tolerance is a number of seconds.
    verifyWebhook('', headers, 'whsec_', { toleranceSeconds: '5m' })
  }
  assert.equal(typeof neverCalled, 'function')
})
