---@brief
---
--- https://github.com/tofumerge/tofumerge
---
--- Shows what override files do to an OpenTofu or Terraform module. It runs beside
--- terraform-ls or tofu-ls.

---@type vim.lsp.Config
return {
  cmd = { 'tofumerge', 'lsp' },
  filetypes = { 'terraform', 'opentofu', 'terraform-vars', 'opentofu-vars' },
  root_markers = { '.git' },
  init_options = { commands = { 'tofumerge.showOverrides' } },
  commands = {
    ['tofumerge.showOverrides'] = function(lens, about)
      local encoding = vim.lsp.get_client_by_id(about.client_id).offset_encoding
      local places = vim.lsp.util.locations_to_items(lens.arguments[3], encoding)
      vim.fn.setqflist({}, ' ', { title = lens.title, items = places })
      vim.cmd('copen')
    end,
  },
}
