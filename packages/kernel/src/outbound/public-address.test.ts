import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPublicAddress } from './public-address.ts'

const PUBLIC = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2001:200::1',
  '2001:4860:4860::8888',
  '::ffff:8.8.8.8',
  '::ffff:808:808',
]

const NOT_PUBLIC: Record<string, readonly string[]> = {
  'this network': ['0.0.0.0', '0.255.255.255'],
  private: ['10.0.0.0', '10.255.255.255', '172.16.0.0', '172.31.255.255', '192.168.0.1'],
  'carrier-grade NAT': ['100.64.0.0', '100.100.100.200', '100.127.255.255'],
  loopback: ['127.0.0.1', '127.255.255.254', '::1'],
  'link-local': ['169.254.0.1', '169.254.169.254', 'fe80::1', 'febf::1', 'fe80::1%eth0'],
  'protocol assignments': ['192.0.0.0', '192.0.0.192', '192.0.0.255', '2001:1::1', '2001:1ff::1'],
  documentation: [
    '192.0.2.1',
    '198.51.100.1',
    '203.0.113.1',
    '2001:db8::1',
    '3fff::1',
    '3fff:fff::',
  ],
  '6to4 relay': ['192.88.99.1'],
  benchmarking: ['198.18.0.0', '198.19.255.255', '2001:2::1'],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1', 'ff0e::1'],
  reserved: ['240.0.0.1', '255.255.255.254'],
  broadcast: ['255.255.255.255'],
  'host of an Azure machine': ['168.63.129.16', '::ffff:168.63.129.16'],
  unspecified: ['::'],
  'IPv4-mapped': ['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:10.0.0.1', '::FFFF:169.254.169.254'],
  'IPv4-compatible': ['::127.0.0.1', '::8.8.8.8', '::2'],
  'IPv4-translated': ['::ffff:0:8.8.8.8'],
  NAT64: ['64:ff9b::8.8.8.8', '64:ff9b::7f00:1', '64:ff9b:1::1', '64:ff9b:1:ffff::1'],
  discard: ['100::1', '100::ffff:ffff:ffff:ffff'],
  dummy: ['100:0:0:1::1'],
  '6to4': ['2002:7f00:1::', '2002:808:808::1'],
  Teredo: ['2001::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  ORCHID: ['2001:10::1', '2001:20::1'],
  'unique local': ['fc00::1', 'fd00:ec2::254', 'fdff::1'],
  'site-local': ['fec0::1', 'feff::1'],
  'segment routing': ['5f00::1'],
  'not given out': ['1000::1', '4000::1', '8000::1', 'e000::1'],
  'other spellings': ['0177.0.0.1', '134744072', '0x8080808', '8.8.2056', '08.8.8.8', ' 8.8.8.8'],
  'no address': ['', 'localhost', 'example.com', '[2606:4700:4700::1111]', '8.8.8.8:80', '8.8.8'],
}

test('addresses of the public internet are public', () => {
  assert.deepEqual(
    PUBLIC.filter((address) => !isPublicAddress(address)),
    [],
  )
})

for (const [kind, addresses] of Object.entries(NOT_PUBLIC)) {
  test(`addresses of this kind are not public: ${kind}`, () => {
    assert.deepEqual(addresses.filter(isPublicAddress), [])
  })
}
