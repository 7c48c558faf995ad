import { defineEvent, type EventType } from '@salus/contracts/event-type'
import { DateTime, Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import Type from 'typebox'

/** Made-up event types with every kind of schema that the generator reads. */

const Colour = TextEnum(['red', 'green'], { title: 'Colour', description: 'As people see it.' })

export const Part = Type.Object({ id: Uuid, colour: Nullable(Colour) }, { title: 'Part' })

const State = TextEnum(
  [
    'waiting',
    'sent_to_laboratory',
    'received_by_laboratory',
    'in_analysis',
    'finished',
    'given_up',
  ],
  { description: 'How far it is.' },
)

export const Everything = Type.Object(
  {
    state: State,
    states: Type.Array(State),
    last_state: Nullable(State),
    main_part: Part,
    spare_part: Nullable(Part),
    parts: Type.Array(Part),
    parts_by_name: Type.Record(Type.String(), Part),
    counts: Type.Optional(Type.Record(Type.String(), Nullable(Type.Integer()))),
    colours: Type.Array(Nullable(Colour)),
    unit: Type.Literal('bpm'),
    version: Type.Literal(2),
    is_final: Type.Boolean(),
    nothing: Type.Null({ deprecated: true }),
    either: Type.Union([Uuid, DateTime, Type.Number({ minimum: 0 }), Type.Null()]),
    anything: Type.Unknown({ description: 'As the provider sent it.' }),
    list_of_anything: Type.Array(Type.Unknown()),
    empty: Type.Object({}, { additionalProperties: false }),
    open: Type.Object({}),
    'content-type': Type.Optional(Type.String({ description: 'Not */* but a media type.' })),
    inner: Type.Object({
      remark: Nullable(
        Type.String({
          description:
            'A description so long that it does not fit into one line of the code, so it is broken between words.',
        }),
      ),
    }),
    inner_or_null: Nullable(Type.Object({ at: DateTime })),
    inner_list: Type.Array(Type.Object({ at: DateTime, note: Type.Optional(Type.String()) })),
  },
  { title: 'Everything', description: 'Data with a property of every kind.' },
)

export const PartsByName = Type.Record(Type.String(), Part, { title: 'PartsByName' })

const untitled = Type.Object({ count: Type.Integer() }, { additionalProperties: Type.String() })

const part = { id: '9b2f7c1e-5a43-4f0e-8d55-0c6f2f1f7a10', colour: null }

const everything: Type.Static<typeof Everything> = {
  state: 'waiting',
  states: [],
  last_state: null,
  main_part: part,
  spare_part: null,
  parts: [part],
  parts_by_name: {},
  colours: ['red', null],
  unit: 'bpm',
  version: 2,
  is_final: false,
  nothing: null,
  either: 1,
  anything: {},
  list_of_anything: [],
  empty: {},
  open: {},
  inner: { remark: null },
  inner_or_null: null,
  inner_list: [],
}

export const SAMPLE_EVENT_TYPES: readonly EventType[] = [
  defineEvent({
    name: 'sample.everything.created',
    data: Everything,
    meaning: 'A sample was made.',
    isAboutUser: true,
    example: everything,
  }),
  defineEvent({
    name: 'sample.everything.updated',
    data: Everything,
    meaning: 'A sample was changed.',
    isAboutUser: true,
    example: everything,
  }),
  defineEvent({
    name: 'sample.parts',
    data: PartsByName,
    meaning: 'There are parts.',
    isAboutUser: false,
    example: { main: part },
  }),
  defineEvent({
    name: 'sample.untitled',
    data: untitled,
    meaning: 'Its data has no title.',
    isAboutUser: false,
    example: { count: 1 },
  }),
]
