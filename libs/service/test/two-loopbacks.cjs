// Preloaded: `localhost` has the addresses 127.0.0.1 and ::1 here, whatever the machine's hosts file says.
const dns = require('node:dns');

const { lookup } = dns;
const addresses = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

dns.lookup = (host, options, callback) => {
  if (host === 'localhost' && options.all) callback(null, addresses);
  else lookup(host, options, callback);
};
