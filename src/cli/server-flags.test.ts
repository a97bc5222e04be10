// Tests of the server flags.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultOptions } from '../server/options.ts';
import { parseFlags } from './flags.ts';
import { httpPort, serverFlags } from './server-flags.ts';

const parse = (...args: string[]) => parseFlags([httpPort, ...serverFlags], args).settings;

test('every flag sets its option', () => {
  assert.deepEqual(
    parse(
      ...['--dialect=kubernetes', '--data-dir=/d', '--storage=memory', '--http-port=81', '--secure-port=82'],
      ...['--bind-address=::1', '--tls-cert-file=c', '--tls-private-key-file=k', '--client-ca-file=ca'],
      ...['--token-auth-file=t', '--cert-dir=p', '--request-timeout=1s', '--min-request-timeout=2s'],
      ...['--max-requests-inflight=3', '--max-mutating-requests-inflight=4', '--event-ttl=5m'],
      ...['--shutdown-delay-duration=6ms', '-v', '7'],
    ),
    {
      dialect: 'kubernetes',
      dataDir: '/d',
      storage: 'memory',
      httpPort: 81,
      securePort: 82,
      bindAddress: '::1',
      tlsCertFile: 'c',
      tlsPrivateKeyFile: 'k',
      clientCaFile: 'ca',
      tokenAuthFile: 't',
      certDir: 'p',
      requestTimeout: 1_000,
      minRequestTimeout: 2_000,
      maxRequestsInflight: 3,
      maxMutatingRequestsInflight: 4,
      eventTtl: 300_000,
      shutdownDelayDuration: 6,
      verbosity: 7,
    },
  );
});

test('every option has a flag', () => {
  const set = new Set<string>();
  const sample: Record<string, string> = {
    PORT: '1',
    'PORT|auto': '1',
    IP: '10.0.0.1',
    'NAME|IP,...': 'a.example.com',
    N: '1',
    DURATION: '1h',
    'KEY=BOOL,...': 'A=true',
    'GATE=BOOL,...': 'A=true',
    'CIDR[,CIDR]': '10.0.0.0/8',
    'FIRST-LAST': '1-2',
    BOOL: 'true',
    'METRIC,LABEL=VALUE,...': 'a,b=c',
    'MODE[,MODE]': 'RBAC',
    'PLUGIN,...': 'Priority',
    URL: 'https://a',
    'URL[,URL]': 'http://a:1,https://b',
    PREFIX: '/p',
  };
  for (const flag of [httpPort, ...serverFlags]) {
    const value = sample[flag.placeholder] ?? flag.placeholder.split('|')[0]!;
    for (const option of Object.keys(flag.parse(value, {}))) set.add(option);
  }
  assert.deepEqual([...set].sort(), Object.keys(defaultOptions).sort());
});

test('the formatted default of a flag parses to the default', () => {
  for (const flag of serverFlags) {
    const shown = flag.format(defaultOptions);
    if (shown !== '')
      assert.deepEqual({ ...defaultOptions, ...flag.parse(shown, {}) }, defaultOptions, flag.name);
  }
});

test('port 0 disables plain HTTP and is rejected for HTTPS', () => {
  assert.deepEqual(parse('--http-port=0'), { httpPort: undefined });
  assert.throws(() => parse('--secure-port=0'), {
    message: '--secure-port: must not be 0: HTTPS cannot be disabled; auto picks a free port',
  });
});

test('the error for a value out of range has the range', () => {
  assert.throws(() => parse('--secure-port=65536'), {
    message: '--secure-port: "65536" is not a number from 0 to 65535',
  });
  assert.throws(() => parse('--max-requests-inflight=-1'), /is not a number from 0/);
  assert.throws(() => parse('--dialect=klingon'), {
    message: '--dialect: "klingon" is not one of orch, kubernetes',
  });
  assert.throws(() => parse('--data-dir='), { message: '--data-dir: must not be empty' });
});

test('key=bool pairs allow spaces and all boolean literals of Go', () => {
  assert.deepEqual(parse('--feature-gates=A=true, B=0 ,C=F,'), {
    featureGates: { A: true, B: false, C: false },
  });
  assert.deepEqual(parse('--runtime-config=api/all,v1=1'), { runtimeConfig: { 'api/all': true, v1: true } });
});

test('a feature gate without a boolean value is rejected with an example', () => {
  assert.throws(() => parse('--feature-gates=WatchList'), {
    message: '--feature-gates: missing bool value for WatchList; write WatchList=true or WatchList=false',
  });
  assert.throws(() => parse('--runtime-config=batch/v1=maybe'), {
    message: '--runtime-config: invalid value of batch/v1=maybe; write batch/v1=true or batch/v1=false',
  });
});

test('--service-cluster-ip-range takes one or two CIDRs, --service-node-port-range a port range', () => {
  const ranges = (text: string) => parse(`--service-cluster-ip-range=${text}`).serviceClusterIpRange;
  assert.deepEqual(ranges('10.96.0.0/12'), ['10.96.0.0/12']);
  assert.deepEqual(ranges('10.96.0.0/12,fd00::/108'), ['10.96.0.0/12', 'fd00::/108']);
  for (const text of [
    '',
    'x',
    '10.0.0.1/24',
    '10.0.0.0/24,10.1.0.0/24',
    '10.0.0.0/24,fd00::/108,fd01::/108',
  ]) {
    assert.throws(() => ranges(text), text);
  }
  const ports = (text: string) => parse(`--service-node-port-range=${text}`).serviceNodePortRange;
  assert.deepEqual(ports('30000-32767'), { first: 30_000, last: 32_767 });
  assert.deepEqual(ports('8000+100'), { first: 8000, last: 8100 });
  for (const text of ['', 'x', '0-5', '5-4', '1-65536', '-1-5', '1-2-3'])
    assert.throws(() => ports(text), text);
});

test('--allow-metric-labels takes one list, or several in quotes', () => {
  const read = (...args: string[]) =>
    parse(...args.map((arg) => `--allow-metric-labels=${arg}`)).allowMetricLabels;
  assert.deepEqual(read('m,code=200,404'), { 'm,code': '200,404' });
  assert.deepEqual(read('m,code='), { 'm,code': '' });
  assert.deepEqual(read('"m,code=200,404","m,verb=GET"'), { 'm,code': '200,404', 'm,verb': 'GET' });
  assert.deepEqual(read('a,b=1', 'a,c=2'), { 'a,b': '1', 'a,c': '2' });
  assert.throws(() => read('nope'), {
    message: '--allow-metric-labels: nope must be formatted as key=value',
  });
  assert.throws(() => read("a,b='1,2',a,c='3'"), {
    message: '--allow-metric-labels: a must be formatted as key=value',
  });
});

test('unsupported authorization modes are rejected by name', () => {
  const flag = serverFlags.find(({ name }) => name === 'authorization-mode')!;
  assert.deepEqual(flag.parse('AlwaysDeny,RBAC', {}), { authorizationMode: ['AlwaysDeny', 'RBAC'] });
  assert.throws(() => flag.parse('Node,RBAC', {}), /Node is not supported; the modes are/);
  assert.throws(() => flag.parse('rbac', {}), /"rbac" is not one of RBAC, AlwaysAllow, AlwaysDeny/);
  assert.throws(() => flag.parse('RBAC,RBAC', {}), /must not contain a mode twice/);
});

test('--tls-san takes names and addresses, and may be repeated; --advertise-address takes an address', () => {
  const options = parse('--tls-san=a.example.com,*.b.example.com', '--tls-san=10.0.0.1', '--tls-san=::1');
  assert.deepEqual(options.tlsSan, ['a.example.com', '*.b.example.com', '10.0.0.1', '::1']);
  assert.throws(() => parse('--tls-san=a_b'), /"a_b" is neither an IP address nor a DNS name/);
  assert.equal(parse('--advertise-address=10.0.0.1').advertiseAddress, '10.0.0.1');
  assert.throws(() => parse('--advertise-address=host'), /"host" is not an IP address/);
});
